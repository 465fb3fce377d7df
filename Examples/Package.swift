// swift-tools-version: 6.2
import PackageDescription

/// A program of one file, with the products of Camstream that it needs.
func example(_ name: String, uses products: String...) -> Target {
    .executableTarget(
        name: name,
        dependencies: products.map { .product(name: $0, package: "camstream") })
}

let package = Package(
    name: "camstream-examples",
    dependencies: [.package(name: "camstream", path: "..")],
    targets: [
        example("ClassicRecipe", uses: "CameraCapture", "CameraDevices"),
        example("VisionWorker", uses: "CameraClient"),
        example("PushSource", uses: "CameraCapture", "CameraServer"),
        example("DatasetCollector", uses: "CameraClient"),
    ])
