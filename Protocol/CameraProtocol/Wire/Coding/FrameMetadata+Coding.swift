extension FrameMetadata {
    /// The bytes of metadata without drops.
    static let fixedByteCount = 80

    /// The message's header and metadata, to be followed by the payload.
    ///
    /// - Parameters:
    ///   - stream: The stream's number, not 0.
    ///   - payloadByteCount: Bytes of the payload; with the metadata at most ``Limits/frameByteCount``.
    public func encoded(stream: StreamID, payloadByteCount: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeHeader(.frame, flags: isRedelivered ? FrameFlag.redelivered : 0, stream: stream)
        writer.write(UInt16(0))
        writer.write(codec.rawValue)
        writer.write(pixelFormat)
        writer.write(size)
        writer.write(position)
        writer.write(captureTime)
        writer.write(captureTimeUTC)
        writer.write(stages.captured)
        writer.write(stages.encodeStarted)
        writer.write(stages.encoded)
        writer.write(stages.sent)
        writer.write(colorimetry.matrix.rawValue)
        writer.write(colorimetry.range.rawValue)
        writer.write(colorimetry.transfer.rawValue)
        writer.write(drops)
        writer.set(UInt16(writer.bytes.count - MessageHeader.byteCount), at: MessageHeader.byteCount)
        return writer.finished(payloadByteCount: payloadByteCount)
    }

    /// Reads how many bytes of a frame's body are metadata.
    ///
    /// - Parameters:
    ///   - length: Bytes of the body.
    ///   - bytes: What came.
    ///   - offset: Where the body begins.
    /// - Returns: `nil` if the count is not there yet.
    static func byteCount(
        inBodyOf length: Int, in bytes: RawSpan, at offset: Int
    ) throws(FieldError) -> Int? {
        var reader = ByteReader(from: offset, to: min(offset + length, bytes.byteCount))
        guard length >= fixedByteCount else {
            throw reader.error(.ended(missing: fixedByteCount - length), in: "metadataByteCount")
        }
        guard reader.remaining >= 2 else { return nil }
        let byteCount = Int(try reader.integer("metadataByteCount", in: bytes, as: UInt16.self))
        let limit = min(length, Limits.frameMetadataByteCount)
        guard byteCount <= limit else {
            throw reader.error(.exceeds(byteCount, limit: limit), in: "metadataByteCount", back: 2)
        }
        guard byteCount >= fixedByteCount else {
            throw reader.error(.value(UInt64(byteCount)), in: "metadataByteCount", back: 2)
        }
        return byteCount
    }

    /// Reads metadata.
    ///
    /// - Parameters:
    ///   - reader: Ends where the metadata ends.
    ///   - bytes: What the reader was made for.
    ///   - isRedelivered: The bit of the header.
    init(_ reader: inout ByteReader, in bytes: RawSpan, isRedelivered: Bool) throws(FieldError) {
        _ = try reader.integer("metadataByteCount", in: bytes, as: UInt16.self)
        let codec: ImageCodec = try reader.value("codec", in: bytes)
        let pixelFormat = try reader.layout(of: codec, in: bytes)
        let size = try reader.pictureSize(for: codec, in: bytes)
        self.init(
            position: try reader.position(in: bytes),
            captureTime: try reader.integer("captureTime", in: bytes),
            captureTimeUTC: try reader.integer("captureTimeUTC", in: bytes),
            stages: StageTimes(
                captured: try reader.integer("captured", in: bytes),
                encodeStarted: try reader.integer("encodeStarted", in: bytes),
                encoded: try reader.integer("encoded", in: bytes),
                sent: try reader.integer("sent", in: bytes)),
            size: size, codec: codec, pixelFormat: pixelFormat,
            colorimetry: Colorimetry(
                matrix: try reader.value("matrix", in: bytes),
                range: try reader.value("range", in: bytes),
                transfer: try reader.transfer(in: bytes)),
            isRedelivered: isRedelivered, drops: try reader.drops(in: bytes))
    }

    /// The payload's bytes if the picture alone determines them, which it does for raw frames.
    var exactPayloadByteCount: Int? {
        pixelFormat?.byteCount(width: Int(size.width), height: Int(size.height))
    }
}

extension ByteReader {
    /// Reads a pixel format: one of the known ones for raw frames, 0 for all others.
    fileprivate mutating func layout(of codec: ImageCodec, in bytes: RawSpan) throws(FieldError) -> PixelFormat? {
        guard codec != .raw else { return try value("pixelFormat", in: bytes) }
        let byte: UInt8 = try integer("pixelFormat", in: bytes)
        guard byte == 0 else { throw error(.value(UInt64(byte)), in: "pixelFormat", back: 1) }
        return nil
    }

    /// Reads the size of a picture that is there: at least a pixel, no more than the limits.
    fileprivate mutating func pictureSize(for codec: ImageCodec, in bytes: RawSpan) throws(FieldError) -> PixelSize {
        let size = PixelSize(width: try integer("size", in: bytes), height: try integer("size", in: bytes))
        guard (1...UInt64(Limits.pixelCount)).contains(size.pixelCount),
            max(size.width, size.height) <= codec.maximumSide
        else { throw error(.size(size), in: "size", back: 8) }
        return size
    }

    /// Reads a transfer function; those of newer versions are ``TransferFunction/unspecified``.
    fileprivate mutating func transfer(in bytes: RawSpan) throws(FieldError) -> TransferFunction {
        TransferFunction(rawValue: try integer("transfer", in: bytes)) ?? .unspecified
    }
}
