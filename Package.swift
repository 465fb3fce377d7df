// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// For the modules whose pictures give their bytes as a `Span`. Their users need no such setting.
let lifetimes: SwiftSetting = .enableExperimentalFeature("Lifetimes")

func module(
    _ name: String, path: String? = nil, uses dependencies: [Target.Dependency] = [], with extra: [SwiftSetting] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings + extra)
}

func tests(of name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + dependencies,
        swiftSettings: settings)
}

let cLibraries: [Target] = [
    .target(name: "CLinux"),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CSPNG", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
    .systemLibrary(name: "CLibYUV", providers: [.apt(["libyuv-dev"])]),
]

let modules: [Target] = [
    module("CameraProtocol", path: "Protocol/CameraProtocol"),
    module("CameraMedia", uses: ["CameraProtocol"], with: [lifetimes]),
    module(
        "CameraImaging", uses: ["CameraProtocol", "CameraMedia", "CWebP", "CTurboJPEG", "CSPNG", "CLibYUV"],
        with: [lifetimes]),
    module("CameraCapture", uses: ["CameraProtocol", "CameraMedia", "CameraImaging"]),
    module(
        "CameraDevices",
        uses: ["CameraProtocol", "CameraMedia", "CameraImaging", "CameraCapture", "CLinux"]),
    module("CameraTransport", uses: ["CameraProtocol", "CameraMedia", "CLinux"]),
    module(
        "CameraServer",
        uses: ["CameraProtocol", "CameraMedia", "CameraImaging", "CameraCapture", "CameraTransport"]),
    module(
        "CameraClient",
        uses: ["CameraProtocol", "CameraMedia", "CameraImaging", "CameraCapture", "CameraTransport"]),
    module("CommandLineOptions"),
]

let programs: [Target] = [
    .executableTarget(
        name: "camserver",
        dependencies: [
            "CameraProtocol", "CameraMedia", "CameraImaging", "CameraCapture", "CameraDevices", "CameraServer",
            "CommandLineOptions",
        ],
        swiftSettings: settings),
    .executableTarget(
        name: "camclient",
        dependencies: [
            "CameraProtocol", "CameraMedia", "CameraImaging", "CameraClient", "CommandLineOptions",
        ],
        swiftSettings: settings),
]

let testTargets: [Target] = [
    .target(
        name: "TestSupport", dependencies: ["CameraProtocol", "CameraMedia", "CameraCapture"],
        path: "Tests/TestSupport",
        swiftSettings: settings),
    tests(of: "CameraProtocol"),
    tests(of: "CameraMedia", uses: ["CameraProtocol"]),
    tests(of: "CameraImaging", uses: ["CameraProtocol", "CameraMedia", "CWebP", "CTurboJPEG"]),
    tests(of: "CameraCapture", uses: ["CameraProtocol", "CameraMedia", "CameraImaging"]),
    tests(
        of: "CameraDevices",
        uses: ["CameraProtocol", "CameraMedia", "CameraImaging", "CameraCapture", "CLinux"]),
    tests(of: "CameraTransport", uses: ["CameraProtocol", "CameraMedia"]),
    tests(
        of: "CameraServer",
        uses: ["CameraProtocol", "CameraMedia", "CameraImaging", "CameraCapture", "CameraTransport"]),
    tests(
        of: "CameraClient",
        uses: [
            "CameraProtocol", "CameraMedia", "CameraImaging", "CameraCapture", "CameraTransport", "CameraServer",
            "CameraDevices",
        ]),
    tests(of: "CommandLineOptions"),
    .testTarget(
        name: "EndToEndTests",
        dependencies: ["CameraProtocol", "CameraMedia", "CameraImaging", "TestSupport", "camserver", "camclient"],
        swiftSettings: settings),
]

let package = Package(
    name: "camstream",
    products: [
        .library(name: "CameraProtocol", targets: ["CameraProtocol"]),
        .library(name: "CameraCapture", targets: ["CameraCapture"]),
        .library(name: "CameraDevices", targets: ["CameraDevices"]),
        .library(name: "CameraClient", targets: ["CameraClient"]),
        .library(name: "CameraServer", targets: ["CameraServer"]),
        .executable(name: "camserver", targets: ["camserver"]),
        .executable(name: "camclient", targets: ["camclient"]),
    ],
    targets: cLibraries + modules + programs + testTargets
)
