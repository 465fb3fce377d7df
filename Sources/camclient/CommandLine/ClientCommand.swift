import CameraClient
import CommandLineOptions

/// The command line of `camclient`.
let clientCommand = Command(
    name: "camclient",
    overview: "Receives the frames of a camera server: saves them, writes them as video, or shows how they arrive.",
    version: "1.0.0",
    defaults: ClientOptions(),
    arguments: [
        .required(
            "<server>", help: "Where the server is: HOST[:PORT], [IPV6]:PORT or unix:PATH.", into: \.server,
            parse: .endpoint)
    ],
    groups: [streamOptions, savingOptions, outputOptions, runOptions],
    exitCodes: [
        .success, .usage, .dataError, .noInput, .noHost, .unavailable, .software, .cannotCreate, .inputOutput,
        .protocolError, .noPermission,
    ],
    validate: { options throws(UsageError) in try options.validate() })

private let streamOptions = OptionGroup<ClientOptions>(
    "Stream",
    [
        .option("--camera", "<name>", help: "The camera's name.", default: "the first", into: \.camera, parse: .string),
        .option(
            "--preset", "<preset>", help: "An upper bound of the size, and a quality.", default: "the server's",
            into: \.preset, parse: .choice(\.name)),
        .option(
            "--size", "<size>", help: "Fits the frames within a size such as 640x480, aspect kept.", into: \.size,
            parse: .pixelSize),
        .option(
            "--crop", "<x,y,size>", help: "The part of the picture to receive, such as 100,50,640x480.", into: \.crop,
            parse: .pixelRectangle),
        .option(
            "--fps", "<rate>", help: "The most frames a second: 30, 29.97 or 30000/1001.", into: \.frameRate,
            parse: .frameRate),
        .option(
            "--codec", "<codec>",
            help: "auto, webp, jpeg or raw, or several in order: webp,jpeg. raw:i420 names a layout.",
            default: "auto", into: \.codec, parse: .codec),
        .option(
            "--quality", "<quality>", help: "0 to 100 on the codec's own scale.", default: "the preset's",
            into: \.quality, parse: .integer(0...100)),
        .option(
            "--delivery", "<mode>",
            help: "latest: always the newest frame. ordered[:DEPTH]: all of them, DEPTH waiting at most.",
            into: \.delivery, parse: .delivery),
        .option(
            "--max-age", "<seconds>", help: "Drops frames that are older.", into: \.maximumAge,
            parse: .seconds(0.001...86_400)),
    ])

private let savingOptions = OptionGroup<ClientOptions>(
    "Saving",
    [
        .flag("--save", help: "Saves the frames as image files.", into: \.saves),
        .option(
            "--directory", "<directory>", help: "Where the files go.", default: "frames", into: \.directory,
            parse: .string),
        .option(
            "--format", "<format>", help: "What the files hold; raw frames are always saved as PNG or as asked.",
            default: "received", into: \.format, parse: .choice(\.rawValue)),
        .option(
            "--keep", "<number>", help: "Keeps only the newest files of this run.", into: \.keep, parse: .integer(1...)),
    ])

private let outputOptions = OptionGroup<ClientOptions>(
    "Output",
    [
        .option(
            "--output", "<file>", help: "Writes the frames as one stream; - is standard output.", into: \.output,
            parse: .string),
        .option(
            "--output-format", "<format>", help: "y4m, mjpeg or bgra.", default: "y4m", into: \.outputFormat,
            parse: .choice(\.rawValue)),
        .flag("--stats", help: "Writes a line of statistics every second to standard error.", into: \.showsStatistics),
        .flag("--json", help: "Writes an object for each frame to standard output, one a line.", into: \.json),
    ])

private let runOptions = OptionGroup<ClientOptions>(
    "Run",
    [
        .flag("--list", help: "Lists the server's cameras and ends.", into: \.lists),
        .option("--count", "<number>", help: "Ends after so many frames kept.", into: \.count, parse: .integer(1...)),
        .option(
            "--duration", "<seconds>", help: "Ends so long after the first frame.", into: \.duration,
            parse: .seconds(0.001...31_536_000)),
        .option(
            "--every", "<number>", help: "Keeps only one of so many frames delivered.", into: \.every,
            parse: .integer(1...)),
        .option(
            "--timeout", "<seconds>", help: "Gives up when connecting or a frame takes longer.", default: "none",
            into: \.timeout, parse: .seconds(0.001...31_536_000)),
        .flag(
            "--no-reconnect", help: "Ends when the server cannot be reached or goes away.", setting: \.reconnects,
            to: false),
    ])
