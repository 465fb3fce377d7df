import CameraProtocol

/// Gives any bytes to a parser of either side, before and after the preamble.
///
/// Nothing may trap; the same bytes in two chunks give the same; what was parsed encodes to the same meaning.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMessageParser(_ start: UnsafeRawPointer?, _ byteCount: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : byteCount))
    let split = bytes.isEmpty ? 0 : Int(bytes[bytes.count / 2]) * bytes.count / 256
    for receiver in [Side.server, .client] {
        for isOpen in [false, true] {
            let whole = Reception(of: [bytes[...]], by: receiver, isOpen: isOpen)
            let halves = Reception(of: [bytes[..<split], bytes[split...]], by: receiver, isOpen: isOpen)
            precondition(whole.events == halves.events, "the split at \(split) changes the events")
            precondition(whole.isRefused == halves.isRefused, "the split at \(split) changes the outcome")
            precondition(whole.payload == halves.payload, "the split at \(split) changes the payload")
            for event in whole.events { checkEncoding(of: event, receiver: receiver) }
        }
    }
    return 0
}

/// What a parser makes of some chunks.
private struct Reception {
    var events: [MessageParser.Event] = []
    var payload: [UInt8] = []
    var isRefused = false

    init(of chunks: [ArraySlice<UInt8>], by receiver: Side, isOpen: Bool) {
        var parser = MessageParser(receiver: receiver, maximumFrameByteCount: Limits.frameByteCount)
        if isOpen { open(&parser) }
        var staged: [UInt8] = []
        var missingPayload = 0
        for chunk in chunks {
            staged += chunk
            var offset = 0
            do throws(ProtocolError) {
                repeat {
                    let taken = min(missingPayload, staged.count - offset)
                    payload += staged[offset..<offset + taken]
                    offset += taken
                    missingPayload -= taken
                    guard missingPayload == 0, let event = try parser.next(in: staged.span.bytes, at: &offset) else {
                        break
                    }
                    events.append(event)
                    if case .frame(_, _, let payloadByteCount) = event { missingPayload = payloadByteCount }
                } while true
            } catch {
                precondition(!error.description.isEmpty)
                isRefused = true
                return
            }
            staged.removeFirst(offset)
        }
    }
}

private func checkEncoding(of event: MessageParser.Event, receiver: Side) {
    var parser = MessageParser(receiver: receiver, maximumFrameByteCount: Limits.frameByteCount)
    let bytes = event.encoded
    if case .preamble = event {} else { open(&parser) }
    var offset = 0
    let reread = try? parser.next(in: bytes.span.bytes, at: &offset)
    precondition(reread == event, "\(event) encodes to something else")
    precondition(offset == bytes.count, "\(event) encodes to \(bytes.count) bytes, of which \(offset) are parsed")
}

extension MessageParser.Event {
    /// What an encoder makes of the event, a frame without its payload.
    fileprivate var encoded: [UInt8] {
        switch self {
        case .preamble(let preamble): preamble.bytes
        case .message(let message, let stream): message.encoded(stream: stream)
        case .frame(let metadata, let stream, let payloadByteCount):
            metadata.encoded(stream: stream, payloadByteCount: payloadByteCount)
        }
    }
}

private func open(_ parser: inout MessageParser) {
    var offset = 0
    let event = try? parser.next(in: Preamble.current.bytes.span.bytes, at: &offset)
    precondition(event == .preamble(.current))
}
