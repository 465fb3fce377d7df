/// Writes one message in network byte order.
struct ByteWriter {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// Creates a writer.
    init(reserving byteCount: Int = 256) { bytes.reserveCapacity(byteCount) }

    /// Appends an integer.
    mutating func write(_ value: some FixedWidthInteger) {
        var shift = value.bitWidth - 8
        while shift >= 0 {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            shift -= 8
        }
    }

    /// Appends a name, cut to ``Limits/nameByteCount``.
    mutating func write(name: String) { write(name, limit: Limits.nameByteCount) }

    /// Appends a text for a person, cut to ``Limits/textByteCount``.
    mutating func write(text: String) { write(text, limit: Limits.textByteCount) }

    /// Appends an entry of a list: its count of bytes as a `u16`, then what `body` writes.
    mutating func writeEntry(_ body: (inout ByteWriter) -> Void) {
        let start = bytes.count
        write(UInt16(0))
        body(&self)
        set(UInt16(clamping: bytes.count - start - 2), at: start)
    }

    /// Replaces an integer that was written before.
    mutating func set(_ value: some FixedWidthInteger, at offset: Int) {
        for index in 0..<value.bitWidth / 8 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (value.bitWidth - 8 * (index + 1)))
        }
    }

    /// Appends what another writer wrote.
    mutating func append(_ other: ByteWriter) { bytes.append(contentsOf: other.bytes) }

    /// Begins a message; ``finished(payloadByteCount:)`` fills in its length.
    mutating func writeHeader(_ type: MessageType, flags: UInt8, stream: StreamID) {
        write(UInt32(0))
        write(type.rawValue)
        write(flags)
        write(stream)
    }

    /// The message, its length being that of what was written and of a payload that follows.
    consuming func finished(payloadByteCount: Int) -> [UInt8] {
        set(UInt32(clamping: bytes.count - MessageHeader.byteCount + payloadByteCount), at: 0)
        return bytes
    }

    private mutating func write(_ text: String, limit: Int) {
        let utf8 = text.truncated(toUTF8Count: limit).utf8
        write(UInt16(clamping: utf8.count))
        bytes.append(contentsOf: utf8)
    }
}

extension String {
    /// The longest beginning that takes at most `limit` bytes of UTF-8 and cuts no code point in two.
    fileprivate func truncated(toUTF8Count limit: Int) -> Substring {
        guard var cut = utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex) else { return self[...] }
        while cut < endIndex, utf8[cut] & 0xC0 == 0x80 { utf8.formIndex(before: &cut) }
        return self[..<cut]
    }
}
