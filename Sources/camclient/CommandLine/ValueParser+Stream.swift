import CameraClient
import CommandLineOptions

extension ValueParser<Endpoint> {
    /// `HOST[:PORT]`, `[V6][:PORT]` or `unix:PATH`.
    static var endpoint: ValueParser {
        ValueParser(expecting: "HOST[:PORT], [IPV6][:PORT] or unix:PATH") { Endpoint(parsing: $0) }
    }
}

extension ValueParser<PixelSize> {
    /// `640x480`.
    static var pixelSize: ValueParser {
        ValueParser(expecting: "a size such as 640x480") { PixelSize(parsing: $0) }
    }
}

extension ValueParser<PixelRectangle> {
    /// `100,50,640x480`.
    static var pixelRectangle: ValueParser {
        ValueParser(expecting: "X,Y,WIDTHxHEIGHT such as 100,50,640x480", describe: nil) { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 3, let x = UInt32(parts[0]), let y = UInt32(parts[1]),
                let size = PixelSize(parsing: String(parts[2]))
            else { return nil }
            return PixelRectangle(x: x, y: y, size: size)
        }
    }
}

extension ValueParser<FrameRate> {
    /// `30`, `29.97` or `30000/1001`.
    static var frameRate: ValueParser {
        ValueParser(expecting: "a rate above 0 and up to 1000, such as 30, 29.97 or 30000/1001") {
            FrameRate(parsing: $0)
        }
    }
}

extension ValueParser<ClientOptions.Codec> {
    /// `auto`, or codecs in order; `raw` may name a layout.
    static var codec: ValueParser {
        let layouts = PixelFormat.allCases.map(\.name).joined(separator: ", ")
        let expectation = "auto, or of webp, jpeg and raw one or several in order; the layouts of raw are \(layouts)"
        return ValueParser(expecting: expectation, describe: nil) { text in
            if text == "auto" { return ClientOptions.Codec(choice: .automatic) }
            var codecs: [ImageCodec] = []
            var pixelFormat: PixelFormat?
            for name in text.split(separator: ",", omittingEmptySubsequences: false) {
                let parts = name.split(separator: ":", omittingEmptySubsequences: false)
                guard let codec = ImageCodec.allCases.first(where: { $0.name == parts[0] }), !codecs.contains(codec)
                else { return nil }
                codecs.append(codec)
                guard parts.count > 1 else { continue }
                guard codec == .raw, parts.count == 2,
                    let format = PixelFormat.allCases.first(where: { $0.name == parts[1] })
                else { return nil }
                pixelFormat = format
            }
            return ClientOptions.Codec(choice: .inOrder(codecs), pixelFormat: pixelFormat)
        }
    }
}

extension ValueParser<DeliveryMode> {
    /// `latest` or `ordered[:DEPTH]`.
    static var delivery: ValueParser {
        let deepest = DeliveryMode.maximumDepth
        return ValueParser(
            expecting: "latest, ordered or ordered:DEPTH, DEPTH from 1 to \(deepest)",
            describe: { mode in
                switch mode {
                case .latest: "latest"
                case .ordered(let depth): "ordered:\(depth)"
                case .shared(let group, let isOrdered): "shared:\(group)\(isOrdered ? ":ordered" : "")"
                }
            },
            convert: { text in
                switch text {
                case "latest": return .latest
                case "ordered": return .ordered(depth: DeliveryMode.defaultDepth)
                default:
                    guard text.hasPrefix("ordered:"), let depth = UInt16(text.dropFirst(8)), depth > 0, depth <= deepest
                    else { return nil }
                    return .ordered(depth: depth)
                }
            })
    }
}
