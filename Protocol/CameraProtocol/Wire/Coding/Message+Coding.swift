extension Message {
    /// The type byte of its header.
    public var type: MessageType {
        switch self {
        case .hello: .hello
        case .welcome: .welcome
        case .subscribe: .subscribe
        case .subscribed: .subscribed
        case .update: .update
        case .unsubscribe: .unsubscribe
        case .unsubscribed: .unsubscribed
        case .credit: .credit
        case .acknowledge: .acknowledge
        case .ping: .ping
        case .pong: .pong
        case .status: .status
        case .listControls: .listControls
        case .controls: .controls
        case .getControl: .getControl
        case .setControl: .setControl
        case .controlValue: .controlValue
        case .error: .error
        case .bye: .bye
        }
    }

    /// The whole message with its header.
    ///
    /// Never longer than the peer takes: texts and names over their limit are cut between two characters, lists
    /// after their last allowed entry.
    ///
    /// - Parameter stream: The stream's number; 0 for what belongs to the connection.
    public func encoded(stream: StreamID = 0) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeHeader(type, flags: 0, stream: stream)
        writeBody(to: &writer)
        return writer.finished(payloadByteCount: 0)
    }

    private func writeBody(to writer: inout ByteWriter) {
        switch self {
        case .hello(let hello): hello.write(to: &writer)
        case .welcome(let welcome): welcome.write(to: &writer)
        case .subscribe(let subscribe): subscribe.write(to: &writer)
        case .subscribed(let subscribed): subscribed.write(to: &writer)
        case .update(let request): request.write(to: &writer)
        case .unsubscribe: break
        case .unsubscribed(let drops): writer.write(drops)
        case .credit(let count): writer.write(count)
        case .acknowledge(let position): writer.write(position)
        case .ping(let ping): ping.write(to: &writer)
        case .pong(let pong): pong.write(to: &writer)
        case .status(let status): status.write(to: &writer)
        case .listControls(let camera): writer.write(name: camera)
        case .controls(let list): list.write(to: &writer)
        case .getControl(let name): name.write(to: &writer)
        case .setControl(let value), .controlValue(let value): value.write(to: &writer)
        case .error(let failure): failure.write(to: &writer)
        case .bye(let bye): bye.write(to: &writer)
        }
    }

    /// Reads a body; what follows its last known field is left.
    ///
    /// - Returns: `nil` for a frame, which is no ``Message``.
    init?(_ type: MessageType, _ reader: inout ByteReader, in bytes: RawSpan) throws(FieldError) {
        switch type {
        case .frame: return nil
        case .hello: self = .hello(try Hello(&reader, in: bytes))
        case .welcome: self = .welcome(try Welcome(&reader, in: bytes))
        case .subscribe: self = .subscribe(try Subscribe(&reader, in: bytes))
        case .subscribed: self = .subscribed(try Subscribed(&reader, in: bytes))
        case .update: self = .update(try StreamRequest(&reader, in: bytes))
        case .unsubscribe: self = .unsubscribe
        case .unsubscribed: self = .unsubscribed(try reader.drops(in: bytes))
        case .credit: self = .credit(try reader.integer("credit", in: bytes))
        case .acknowledge: self = .acknowledge(try reader.position(in: bytes))
        case .ping: self = .ping(try Ping(&reader, in: bytes))
        case .pong: self = .pong(try Pong(&reader, in: bytes))
        case .status: self = .status(try CameraStatus(&reader, in: bytes))
        case .listControls: self = .listControls(camera: try reader.name("camera", in: bytes))
        case .controls: self = .controls(try ControlList(&reader, in: bytes))
        case .getControl: self = .getControl(try ControlName(&reader, in: bytes))
        case .setControl: self = .setControl(try ControlValue(&reader, in: bytes))
        case .controlValue: self = .controlValue(try ControlValue(&reader, in: bytes))
        case .error: self = .error(try Failure(&reader, in: bytes))
        case .bye: self = .bye(try Bye(&reader, in: bytes))
        }
    }
}
