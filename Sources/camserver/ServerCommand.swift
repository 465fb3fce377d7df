import CameraCapture
import CameraDevices
import CameraProtocol
import CameraServer
import CommandLineOptions

/// The table of `camserver`'s options.
enum ServerCommand {
    static let command = Command(
        name: "camserver",
        overview: "Captures frames from cameras and streams them to any number of clients.",
        version: "1.0.0",
        defaults: ServerOptions(),
        groups: [sources, pictures, network, listings, logging],
        exitCodes: [
            .success, .usage, .dataError, .noInput, .noHost, .unavailable, .software, .cannotCreate, .inputOutput,
            .noPermission,
        ],
        validate: { options throws(UsageError) in
            let names = options.sources.compactMap(\.name)
            if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
                throw UsageError("Two sources are named '\(twice)'")
            }
            if options.sources.count(where: { $0.kind == .standardInput }) > 1 {
                throw UsageError("Standard input can be the source of one camera only")
            }
            if options.asJSON, !options.listsDevices, options.formatsSource == nil, !options.listsPresets {
                throw UsageError("'--json' needs '--list-devices', '--list-formats' or '--list-presets'")
            }
        }
    )

    private static let sources = OptionGroup<ServerOptions>(
        "Sources",
        [
            .option(
                "--source", "<[name=]source>",
                help: """
                    Where frames come from: auto, /dev/videoN, test[:WxH[@FPS]], a .y4m file, a folder of images, or - \
                    for YUV4MPEG2 on standard input. Repeat it for several cameras.
                    """,
                default: "auto: the first camera, or the test pattern", appendingTo: \.sources, parse: source),
            .option(
                "--input-format", "<[camera:]fourcc:WxH[@fps]>",
                help: "The exact format a V4L2 camera is opened with, such as MJPG:1280x720@30.",
                default: "the best for preset and rate", appendingTo: \.inputFormats, parse: inputFormat),
            .option(
                "--pace", "<pace>", help: "Whether files play in real time, or as fast as their clients take them.",
                into: \.pace, parse: .choice(\.name)),
            .flag("--loop", help: "Play files again and again.", into: \.loops),
        ])

    private static let pictures = OptionGroup<ServerOptions>(
        "Pictures",
        [
            .option(
                "--preset", "<preset>", help: "The largest size and the default quality; see --list-presets.",
                into: \.preset, parse: .choice(\.name)),
            .option(
                "--fps", "<rate>", help: "The most frames a second, such as 30, 29.97 or 30000/1001.",
                default: "30, or what the camera has", into: \.frameRate, parse: frameRate),
            .option(
                "--quality", "<quality>", help: "The quality of frames whose client names none.",
                default: "the preset's", into: \.quality, parse: .integer(0...100)),
        ])

    private static let network = OptionGroup<ServerOptions>(
        "Network",
        [
            .option(
                "--port", "<port>", help: "The TCP port; 0 takes one that is free.",
                default: "\(Limits.defaultPort)", into: \.port, parse: .integer(0...65535)),
            .option(
                "--bind", "<address>", help: "An address to listen on; repeat it for several.",
                default: "all interfaces", appendingTo: \.hosts, parse: .string),
            .option(
                "--unix", "<path>", help: "A socket file to listen on; without --port or --bind, only there.",
                into: \.socketPath, parse: .string),
            .option(
                "--max-clients", "<count>", help: "The most clients at a time.",
                default: "what the limit of open files allows", into: \.maximumClientCount,
                parse: .integer(1...1_000_000)),
        ])

    private static let listings = OptionGroup<ServerOptions>(
        "Listings",
        [
            .flag("--list-devices", help: "List the cameras of this machine, and end.", into: \.listsDevices),
            .option(
                "--list-formats", "<source>", help: "List what a camera can deliver, and end.",
                into: \.formatsSource, parse: source),
            .flag("--list-presets", help: "List the presets, and end.", into: \.listsPresets),
            .flag("--json", help: "Print listings as JSON.", into: \.asJSON),
        ])

    private static let logging = OptionGroup<ServerOptions>(
        "Log",
        [
            .option(
                "--log-level", "<level>", help: "How much is written to standard error.", into: \.logLevel,
                parse: .choice(\.name)),
            .option(
                "--log-format", "<format>", help: "How it is written.", into: \.logFormat,
                parse: .choice(\.rawValue)),
        ])

    private static let source = ValueParser<SourceSpecification> { text throws(InvalidValue) in
        do throws(SourceSpecificationError) {
            return try SourceSpecification(parsing: text)
        } catch {
            throw InvalidValue(error.reason)
        }
    }

    private static let frameRate = ValueParser<FrameRate>(
        expecting: "a rate above 0 and up to 1000, such as 30, 29.97 or 30000/1001"
    ) { FrameRate(parsing: $0) }

    private static let inputFormat = ValueParser<Scoped<V4L2FormatRequest>>(
        expecting: "a format such as YUYV:640x480@30, with a camera's name and a colon before it if wanted"
    ) { text in
        if let format = V4L2FormatRequest(parsing: text) { return Scoped(camera: nil, value: format) }
        guard let colon = text.firstIndex(of: ":"),
            let format = V4L2FormatRequest(parsing: String(text[text.index(after: colon)...]))
        else { return nil }
        return Scoped(camera: String(text[..<colon]), value: format)
    }
}
