extension StreamRequest {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            preset: try reader.optionalValue("preset", in: bytes),
            size: try reader.optionalSize("size", in: bytes),
            crop: try reader.optionalRectangle("crop", in: bytes),
            frameRateCap: try reader.optionalRate("frameRateCap", in: bytes),
            codecs: try reader.codecChoice(in: bytes),
            quality: try reader.optionalQuality("quality", in: bytes),
            pixelFormat: try reader.optionalValue("pixelFormat", in: bytes),
            delivery: try DeliveryMode(&reader, in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(preset)
        writer.write(size)
        writer.write(crop)
        writer.write(frameRateCap)
        switch codecs {
        case .automatic: writer.write([ImageCodec]())
        case .inOrder(let codecs): writer.write(codecs)
        }
        writer.write(quality: quality)
        writer.write(pixelFormat)
        delivery.write(to: &writer)
    }
}

extension ByteReader {
    /// Reads the codecs of a request; an empty list is ``CodecChoice/automatic``.
    ///
    /// Codecs of newer versions are left out, but one that is known must remain.
    fileprivate mutating func codecChoice(in bytes: RawSpan) throws(FieldError) -> CodecChoice {
        let start = offset
        let codecs = try codecs("codecs", in: bytes)
        let count = offset - start - 1
        guard count > 0 else { return .automatic }
        guard count <= Limits.codecCount else {
            throw error(.exceeds(count, limit: Limits.codecCount), in: "codecs", back: count + 1)
        }
        guard !codecs.isEmpty else { throw error(.noneKnown, in: "codecs", back: count + 1) }
        return .inOrder(codecs)
    }
}

extension DeliveryMode {
    private enum Tag: UInt8 {
        case latest = 0
        case ordered = 1
        case shared = 2
    }

    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        switch try reader.value("delivery", in: bytes, as: Tag.self) {
        case .latest: self = .latest
        case .ordered:
            let depth: UInt16 = try reader.integer("delivery.depth", in: bytes)
            guard (1...Self.maximumDepth).contains(depth) else {
                throw reader.error(.value(UInt64(depth)), in: "delivery.depth", back: 2)
            }
            self = .ordered(depth: depth)
        case .shared:
            let isOrdered = try reader.flag("delivery.isOrdered", in: bytes)
            self = .shared(group: try reader.name("delivery.group", in: bytes), ordered: isOrdered)
        }
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .latest: writer.write(Tag.latest.rawValue)
        case .ordered(let depth):
            writer.write(Tag.ordered.rawValue)
            writer.write(min(max(depth, 1), Self.maximumDepth))
        case .shared(let group, let isOrdered):
            writer.write(Tag.shared.rawValue)
            writer.write(isOrdered)
            writer.write(name: group)
        }
    }
}

extension Subscribe {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        let camera = try reader.name("camera", in: bytes)
        let credit: UInt16 = try reader.integer("credit", in: bytes)
        let resumes = try reader.flag("resume", in: bytes)
        let resume = resumes ? try reader.position(in: bytes) : nil
        self.init(
            camera: camera, request: try StreamRequest(&reader, in: bytes), credit: credit, resume: resume)
    }

    func write(to writer: inout ByteWriter) {
        writer.write(name: camera)
        writer.write(credit)
        writer.write(resume != nil)
        if let resume { writer.write(resume) }
        request.write(to: &writer)
    }
}

extension Subscribed {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            camera: try reader.name("camera", in: bytes),
            sourceSize: try reader.size("sourceSize", in: bytes),
            sourceFrameRate: try reader.optionalRate("sourceFrameRate", in: bytes),
            size: try reader.size("size", in: bytes),
            crop: try reader.optionalRectangle("crop", in: bytes),
            frameRate: try reader.optionalRate("frameRate", in: bytes),
            codec: try reader.value("codec", in: bytes),
            quality: try reader.quality("quality", in: bytes),
            pixelFormat: try reader.optionalValue("pixelFormat", in: bytes),
            delivery: try DeliveryMode(&reader, in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(name: camera)
        writer.write(sourceSize)
        writer.write(sourceFrameRate)
        writer.write(size)
        writer.write(crop)
        writer.write(frameRate)
        writer.write(codec.rawValue)
        writer.write(quality: quality)
        writer.write(pixelFormat)
        delivery.write(to: &writer)
    }
}
