package import CameraProtocol

/// What `--source` takes: `auto`, a device node, `test:640x480@15`, a file, a folder or `-`, with a name if wanted.
package struct SourceSpecification: Sendable, Hashable {
    /// Where the frames come from.
    package enum Kind: Sendable, Hashable {
        /// The first camera, or the test pattern if there is none.
        case automatic
        /// The test pattern; `nil`: the size within the preset, the session's rate.
        case testPattern(size: PixelSize?, frameRate: FrameRate?)
        /// A camera's device node, a YUV4MPEG2 file or pipe, or a folder of images; which one, the file system says.
        case path(String)
        /// YUV4MPEG2 on standard input.
        case standardInput
    }

    /// The camera's name; `nil` if it was given none.
    package var name: String?
    /// Where the frames come from.
    package var kind: Kind

    /// Creates a specification.
    package init(name: String? = nil, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Reads `[NAME=]SOURCE`.
    ///
    /// A name has letters, digits, `-` and `_`; `./` in front makes anything a path.
    /// - Throws: If the source cannot be understood.
    package init(parsing text: String) throws(SourceSpecificationError) {
        let (name, source) = Self.split(text)
        self.init(name: name, kind: try Self.kind(of: source, in: text))
    }

    private static func split(_ text: String) -> (name: String?, source: Substring) {
        guard let equals = text.firstIndex(of: "=") else { return (nil, text[...]) }
        let name = String(text[..<equals])
        return name.isCameraName ? (name, text[text.index(after: equals)...]) : (nil, text[...])
    }

    private static func kind(of source: Substring, in text: String) throws(SourceSpecificationError) -> Kind {
        switch source {
        case "": throw SourceSpecificationError(source: text, reason: "a source is missing")
        case "auto": return .automatic
        case "-": return .standardInput
        case "test": return .testPattern(size: nil, frameRate: nil)
        default: break
        }
        if source.hasPrefix("test:") { return try testPattern(source.dropFirst(5), in: text) }
        if source.hasPrefix("cam://") {
            throw SourceSpecificationError(source: text, reason: "relaying another server is not supported yet")
        }
        return .path(String(source))
    }

    private static func testPattern(
        _ parameters: Substring, in text: String
    ) throws(SourceSpecificationError) -> Kind {
        let parts = parameters.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let size = PixelSize(parsing: parts[0]) else {
            throw SourceSpecificationError(source: text, reason: "test:WIDTHxHEIGHT@FPS is expected")
        }
        guard size.pixelCount <= Limits.pixelCount else {
            throw SourceSpecificationError(source: text, reason: "\(size) is more than \(Limits.pixelCount) pixels")
        }
        guard parts.count == 2 else { return .testPattern(size: size, frameRate: nil) }
        guard let rate = FrameRate(parsing: parts[1]) else {
            throw SourceSpecificationError(
                source: text, reason: "\(parts[1]) is no frame rate from 0.001 to 1000, such as 30 or 30000/1001")
        }
        return .testPattern(size: size, frameRate: rate)
    }
}

/// Why a source cannot be understood.
package struct SourceSpecificationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was given.
    package var source: String
    /// What is wrong with it.
    package var reason: String

    /// For a person.
    package var description: String { "\(source): \(reason)" }
}
