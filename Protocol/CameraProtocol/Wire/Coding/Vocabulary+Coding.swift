// The fields that several messages share. An optional that is not set is a 0 on the wire.

extension ByteReader {
    /// Reads a byte that stands for a case.
    mutating func value<Value: RawRepresentable<UInt8>>(
        _ field: String, in bytes: RawSpan, as type: Value.Type = Value.self
    ) throws(FieldError) -> Value {
        guard let value: Value = try optionalValue(field, in: bytes) else { throw error(.value(0), in: field, back: 1) }
        return value
    }

    /// Reads a byte that stands for a case; 0 is `nil` unless a case has it.
    mutating func optionalValue<Value: RawRepresentable<UInt8>>(
        _ field: String, in bytes: RawSpan, as type: Value.Type = Value.self
    ) throws(FieldError) -> Value? {
        let byte: UInt8 = try integer(field, in: bytes)
        if let value = Value(rawValue: byte) { return value }
        guard byte == 0 else { throw error(.value(UInt64(byte)), in: field, back: 1) }
        return nil
    }

    /// Reads a byte that is 0 or 1.
    mutating func flag(_ field: String, in bytes: RawSpan) throws(FieldError) -> Bool {
        let byte: UInt8 = try integer(field, in: bytes)
        guard byte <= 1 else { throw error(.value(UInt64(byte)), in: field, back: 1) }
        return byte == 1
    }

    /// Reads a name.
    mutating func name(_ field: String, in bytes: RawSpan) throws(FieldError) -> String {
        try text(field, limit: Limits.nameByteCount, in: bytes)
    }

    /// Reads a size; 0x0 stands for one that is not known.
    mutating func size(_ field: String, in bytes: RawSpan) throws(FieldError) -> PixelSize {
        let size = PixelSize(width: try integer(field, in: bytes), height: try integer(field, in: bytes))
        guard (size.width == 0) == (size.height == 0) else { throw error(.size(size), in: field, back: 8) }
        return size
    }

    /// Reads a size; 0x0 is `nil`.
    mutating func optionalSize(_ field: String, in bytes: RawSpan) throws(FieldError) -> PixelSize? {
        let size = try size(field, in: bytes)
        return size.width == 0 ? nil : size
    }

    /// Reads a rectangle; one of size 0x0 is `nil`.
    mutating func optionalRectangle(_ field: String, in bytes: RawSpan) throws(FieldError) -> PixelRectangle? {
        let x: UInt32 = try integer(field, in: bytes)
        let y: UInt32 = try integer(field, in: bytes)
        return try optionalSize(field, in: bytes).map { PixelRectangle(x: x, y: y, size: $0) }
    }

    /// Reads a rate; 0/0 is `nil`.
    mutating func optionalRate(_ field: String, in bytes: RawSpan) throws(FieldError) -> FrameRate? {
        let numerator: UInt32 = try integer(field, in: bytes)
        let denominator: UInt32 = try integer(field, in: bytes)
        guard (numerator == 0) == (denominator == 0) else {
            throw error(.rate(numerator, denominator), in: field, back: 8)
        }
        return FrameRate(numerator, denominator)
    }

    /// Reads a quality; 255 is `nil`.
    mutating func optionalQuality(_ field: String, in bytes: RawSpan) throws(FieldError) -> UInt8? {
        let quality: UInt8 = try integer(field, in: bytes)
        guard quality <= 100 || quality == 255 else { throw error(.value(UInt64(quality)), in: field, back: 1) }
        return quality == 255 ? nil : quality
    }

    /// Reads a quality.
    mutating func quality(_ field: String, in bytes: RawSpan) throws(FieldError) -> UInt8 {
        guard let quality = try optionalQuality(field, in: bytes) else { throw error(.value(255), in: field, back: 1) }
        return quality
    }

    /// Reads why a camera is in its state; reasons of newer versions are ``StateReason/none``.
    mutating func stateReason(_ field: String, in bytes: RawSpan) throws(FieldError) -> StateReason {
        StateReason(rawValue: try integer(field, in: bytes)) ?? .none
    }

    /// Reads a place in a source.
    mutating func position(in bytes: RawSpan) throws(FieldError) -> FramePosition {
        FramePosition(epoch: try integer("epoch", in: bytes), sequence: try integer("sequence", in: bytes))
    }

    /// Reads a list of codecs, leaving out those of newer versions and repetitions.
    mutating func codecs(_ field: String, in bytes: RawSpan) throws(FieldError) -> [ImageCodec] {
        let count: UInt8 = try integer(field, in: bytes)
        var codecs: [ImageCodec] = []
        for _ in 0..<count {
            let code: UInt8 = try integer(field, in: bytes)
            guard let codec = ImageCodec(rawValue: code), !codecs.contains(codec) else { continue }
            codecs.append(codec)
        }
        return codecs
    }

    /// Reads drops; reasons of newer versions count as ``DropReason/discontinuity``.
    mutating func drops(in bytes: RawSpan) throws(FieldError) -> DropCounts {
        let count: UInt8 = try integer("drops", in: bytes)
        var drops = DropCounts()
        for _ in 0..<count {
            let reason: UInt8 = try integer("drops", in: bytes)
            drops.add(DropReason(rawValue: reason) ?? .discontinuity, try integer("drops", in: bytes))
        }
        return drops
    }
}

extension ByteWriter {
    /// Appends the byte that stands for a case; `nil` is 0.
    mutating func write(_ value: (some RawRepresentable<UInt8>)?) { write(value?.rawValue ?? 0) }

    /// Appends 0 or 1.
    mutating func write(_ flag: Bool) { write(UInt8(flag ? 1 : 0)) }

    /// Appends a size; `nil` is 0x0.
    mutating func write(_ size: PixelSize?) {
        write(size?.width ?? 0)
        write(size?.height ?? 0)
    }

    /// Appends a rectangle; `nil` is all 0.
    mutating func write(_ rectangle: PixelRectangle?) {
        write(rectangle?.x ?? 0)
        write(rectangle?.y ?? 0)
        write(rectangle?.size)
    }

    /// Appends a rate; `nil` is 0/0.
    mutating func write(_ rate: FrameRate?) {
        write(rate?.numerator ?? 0)
        write(rate?.denominator ?? 0)
    }

    /// Appends a quality, at most 100; `nil` is 255.
    mutating func write(quality: UInt8?) { write(quality.map { min($0, 100) } ?? 255) }

    /// Appends a place in a source.
    mutating func write(_ position: FramePosition) {
        write(position.epoch)
        write(position.sequence)
    }

    /// Appends a list of codecs, at most ``Limits/codecCount``.
    mutating func write(_ codecs: [ImageCodec]) {
        let codecs = codecs.prefix(Limits.codecCount)
        write(UInt8(codecs.count))
        for codec in codecs { write(codec.rawValue) }
    }

    /// Appends drops.
    mutating func write(_ drops: DropCounts) {
        let pairs = drops.pairs
        write(UInt8(pairs.count))
        for (reason, count) in pairs {
            write(reason.rawValue)
            write(count)
        }
    }
}
