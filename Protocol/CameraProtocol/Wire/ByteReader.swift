/// Reads the fields of one message body in network byte order.
///
/// The bytes are a parameter of each call, so that nothing outlives them; the reader is only a range of
/// offsets. This file holds all loads from memory that the peer filled.
struct ByteReader {
    /// Where the body begins in the bytes.
    let start: Int
    /// Where the body ends in the bytes.
    let end: Int
    /// Where the next field begins in the bytes.
    private(set) var offset: Int

    /// Creates a reader of the bytes from `start` up to `end`.
    init(from start: Int, to end: Int) {
        self.start = start
        self.end = end
        self.offset = start
    }

    /// The bytes not read yet.
    var remaining: Int { end - offset }

    /// Reads an integer.
    ///
    /// - Parameters:
    ///   - field: The field's name in the specification, for the error.
    ///   - bytes: What the reader was made for.
    mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _ field: String, in bytes: RawSpan, as type: Value.Type = Value.self
    ) throws(FieldError) -> Value {
        let byteCount = MemoryLayout<Value>.size
        try require(byteCount, for: field)
        let value = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
        offset += byteCount
        return Value(bigEndian: value)
    }

    /// Reads a text: its count of bytes as a `u16`, then as many bytes of UTF-8.
    ///
    /// - Parameters:
    ///   - field: The field's name in the specification, for the error.
    ///   - limit: The most bytes.
    ///   - bytes: What the reader was made for.
    mutating func text(_ field: String, limit: Int, in bytes: RawSpan) throws(FieldError) -> String {
        let byteCount = Int(try integer(field, in: bytes, as: UInt16.self))
        guard byteCount <= limit else { throw error(.exceeds(byteCount, limit: limit), in: field) }
        try require(byteCount, for: field)
        let text = bytes.extracting(offset..<offset + byteCount).withUnsafeBytes {
            String(validating: $0, as: UTF8.self)
        }
        guard let text else { throw error(.notUTF8, in: field) }
        offset += byteCount
        return text
    }

    /// Reads the count of bytes of a list's entry and returns a reader of that entry; this one goes on behind it.
    mutating func entry(_ field: String, in bytes: RawSpan) throws(FieldError) -> ByteReader {
        let byteCount = Int(try integer(field, in: bytes, as: UInt16.self))
        try require(byteCount, for: field)
        let entry = ByteReader(from: offset, to: offset + byteCount)
        offset += byteCount
        return entry
    }

    /// An error about what begins `byteCount` bytes before the present offset.
    func error(_ problem: FieldError.Problem, in field: String, back byteCount: Int = 0) -> FieldError {
        FieldError(field: field, offset: offset - start - byteCount, problem: problem)
    }

    private func require(_ byteCount: Int, for field: String) throws(FieldError) {
        guard remaining >= byteCount else { throw error(.ended(missing: byteCount - remaining), in: field) }
    }
}

extension MessageHeader {
    /// Reads a header.
    ///
    /// - Returns: `nil` if it is not complete.
    init?(in bytes: RawSpan, at offset: Int) {
        guard bytes.byteCount - offset >= Self.byteCount else { return nil }
        length = UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
        type = bytes.unsafeLoad(fromByteOffset: offset + 4, as: UInt8.self)
        flags = bytes.unsafeLoad(fromByteOffset: offset + 5, as: UInt8.self)
        stream = UInt16(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset + 6, as: UInt16.self))
    }
}

extension Preamble {
    /// Reads the first bytes of a connection.
    ///
    /// - Returns: `nil` if more are needed.
    /// - Throws: ``ProtocolError/notCamstream(firstBytes:)`` at the first wrong byte,
    ///   ``ProtocolError/unsupportedVersion(major:)`` as soon as the major version is there.
    init?(in bytes: RawSpan, at offset: Int) throws(ProtocolError) {
        let first = (offset..<offset + min(16, bytes.byteCount - offset)).map {
            bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self)
        }
        guard zip(first, Self.magic).allSatisfy({ $0 == $1 }) else { throw .notCamstream(firstBytes: first) }
        guard first.count >= 6 else { return nil }
        major = UInt16(first[4]) << 8 | UInt16(first[5])
        guard major == Self.current.major else { throw .unsupportedVersion(major: major) }
        guard first.count >= Self.byteCount else { return nil }
        minor = UInt16(first[6]) << 8 | UInt16(first[7])
    }
}
