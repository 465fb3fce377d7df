extension Ping {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(originate: try reader.integer("originate", in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(originate)
    }
}

extension Pong {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            originate: try reader.integer("originate", in: bytes),
            receive: try reader.integer("receive", in: bytes),
            transmit: try reader.integer("transmit", in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(originate)
        writer.write(receive)
        writer.write(transmit)
    }
}

extension CameraStatus {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            camera: try reader.name("camera", in: bytes),
            state: try reader.value("state", in: bytes),
            reason: try reader.stateReason("reason", in: bytes),
            text: try reader.text("text", limit: Limits.textByteCount, in: bytes),
            drops: try reader.drops(in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(name: camera)
        writer.write(state.rawValue)
        writer.write(reason.rawValue)
        writer.write(text: text)
        writer.write(drops)
    }
}

extension Failure {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            code: ErrorCode(rawValue: try reader.integer("code", in: bytes)),
            closesConnection: try reader.flag("closesConnection", in: bytes),
            text: try reader.text("text", limit: Limits.textByteCount, in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(code.rawValue)
        writer.write(closesConnection)
        writer.write(text: text)
    }
}

extension Bye {
    init(_ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        self.init(
            code: ErrorCode(rawValue: try reader.integer("code", in: bytes)),
            text: try reader.text("text", limit: Limits.textByteCount, in: bytes))
    }

    func write(to writer: inout ByteWriter) {
        writer.write(code.rawValue)
        writer.write(text: text)
    }
}
