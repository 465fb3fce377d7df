extension Hello {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            name: try reader.name("name", in: bytes),
            maximumFrameByteCount: try reader.integer("maximumFrameByteCount", in: bytes),
            codecs: try reader.codecs("codecs", in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(name: name)
        writer.write(maximumFrameByteCount)
        writer.write(codecs)
    }
}

extension Welcome {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            name: try reader.name("name", in: bytes),
            maximumFrameByteCount: try reader.integer("maximumFrameByteCount", in: bytes),
            codecs: try reader.codecs("codecs", in: bytes), cameras: [])
        let count = Int(try reader.integer("cameras", in: bytes, as: UInt8.self))
        guard count <= Limits.cameraCount else {
            throw reader.error(.exceeds(count, limit: Limits.cameraCount), in: "cameras", back: 1)
        }
        for _ in 0..<count {
            var entry = try reader.entry("camera", in: bytes)
            cameras.append(try CameraDescription(&entry, in: bytes))
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.write(name: name)
        writer.write(maximumFrameByteCount)
        writer.write(codecs)
        let cameras = cameras.prefix(Limits.cameraCount)
        writer.write(UInt8(cameras.count))
        for camera in cameras {
            writer.writeEntry { camera.write(to: &$0) }
        }
    }
}

extension CameraDescription {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            name: try reader.name("camera.name", in: bytes),
            localizedName: try reader.name("camera.localizedName", in: bytes),
            state: try reader.value("camera.state", in: bytes),
            reason: try reader.stateReason("camera.reason", in: bytes),
            size: try reader.size("camera.size", in: bytes),
            frameRate: try reader.optionalRate("camera.frameRate", in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(name: name)
        writer.write(name: localizedName)
        writer.write(state.rawValue)
        writer.write(reason.rawValue)
        writer.write(size)
        writer.write(frameRate)
    }
}
