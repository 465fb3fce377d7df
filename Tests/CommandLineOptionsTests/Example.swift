import CommandLineOptions

/// The options of a program that only the tests know.
struct ServeOptions: Sendable, Equatable {
    enum Speed: String, Sendable, CaseIterable {
        case slow, medium, fast
    }

    struct Size: Sendable, Equatable, CustomStringConvertible {
        var width: Int
        var height: Int
        var description: String { "\(width)x\(height)" }

        init?(_ text: String) {
            let sides = text.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2 else { return nil }
            (width, height) = (sides[0], sides[1])
        }
    }

    var port = 9000
    var addresses: [String] = []
    var brightness: Int?
    var output: String?
    var speed = Speed.medium
    var size: Size?
    var timeout: Duration?
    var loops = false
    var reconnects = true
    var verbose = false
    var folder: String?
    var place: String?
}

/// A program with every kind of option.
let serve = Command(
    name: "serve",
    overview: "Serves pictures to whoever asks for them, as long as there are any.",
    version: "1.2.3",
    defaults: ServeOptions(),
    arguments: [
        .required("<folder>", help: "The folder of the pictures.", into: \.folder, parse: .string),
        .optional("<place>", help: "Where to look first.", into: \.place, parse: .string),
    ],
    groups: [
        OptionGroup(
            "Network",
            [
                .option("--port", "<port>", help: "The port to listen on.", into: \.port, parse: .integer(0...65535)),
                .option(
                    ["-b", "--bind"], "<address>", help: "An address to listen on.", default: "all of them",
                    appendingTo: \.addresses, parse: .string),
                .option(
                    "--timeout", "<seconds>", help: "How long to wait.", into: \.timeout, parse: .seconds(0...3600)),
            ]),
        OptionGroup(
            "Picture",
            [
                .option(
                    "--brightness", "<percent>", help: "How much brighter or darker.", into: \.brightness,
                    parse: .integer(-100...100)),
                .option(
                    ["-s", "--speed"], "<speed>",
                    help: "How fast the pictures follow each other, unless the one who asks wants it otherwise.",
                    into: \.speed, parse: .choice(\.rawValue)),
                .option(
                    "--size", "<size>", help: "The size of the pictures.", into: \.size,
                    parse: .init(expecting: "a size such as 640x480") { ServeOptions.Size($0) }),
                .option(
                    "--output", "<file>", help: "Where to write to; - is standard output.", into: \.output,
                    parse: .string),
            ]),
        OptionGroup(
            "Options",
            [
                .flag(["-l", "--loop"], help: "Start again at the end.", into: \.loops),
                .flag("--no-reconnect", help: "Give up at once.", setting: \.reconnects, to: false),
                .flag(["-v", "--verbose"], help: "Say more.", into: \.verbose),
            ]),
    ],
    exitCodes: [.success, .usage, .inputOutput],
    validate: { options throws(UsageError) in
        if options.loops, options.output == "-" {
            throw UsageError("'--loop' cannot be used with '--output -'")
        }
    }
)
