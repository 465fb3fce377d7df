// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "camstream-benchmarks",
    targets: [
        .executableTarget(
            name: "bare-codec",
            linkerSettings: [.linkedLibrary("webp"), .linkedLibrary("turbojpeg")])
    ]
)
