// swift-tools-version: 5.4
// Since version 5.5 of the tools an executable's `main` is renamed, and libFuzzer brings its own.
import PackageDescription

/// A target is one `LLVMFuzzerTestOneInput`; `scripts/fuzz` builds and runs all that have a folder in `Sources`.
func fuzzTarget(_ name: String, uses products: [String]) -> Target {
    .executableTarget(
        name: name,
        dependencies: products.map { .product(name: $0, package: "camstream") },
        swiftSettings: [.unsafeFlags(["-swift-version", "6"])])
}

let package = Package(
    name: "FuzzTesting",
    dependencies: [.package(name: "camstream", path: "..")],
    targets: [
        fuzzTarget("FuzzMessageParser", uses: ["CameraProtocol"]),
        fuzzTarget("FuzzJPEGMarkers", uses: ["CameraCapture"]),
    ])
