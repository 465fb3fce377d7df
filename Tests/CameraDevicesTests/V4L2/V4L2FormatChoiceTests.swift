import CameraProtocol
import Testing

@testable import CameraDevices

@Suite("The choice of a camera's format")
struct V4L2FormatChoiceTests {
    private typealias Mode = (size: (UInt32, UInt32), rates: [UInt32])

    private func capability(_ fourCC: String, _ modes: [Mode]) throws -> V4L2Capability {
        V4L2Capability(
            fourCC: try #require(FourCC(parsing: fourCC)), description: fourCC,
            sizes: modes.map { mode in
                .init(
                    size: SizeRange(PixelSize(width: mode.size.0, height: mode.size.1)),
                    rates: mode.rates.isEmpty ? .unknown : .discrete(mode.rates.compactMap { FrameRate($0) }))
            })
    }

    private func choice(
        _ capabilities: [V4L2Capability], _ preset: SessionPreset, rate: UInt32? = nil
    ) -> String? {
        V4L2FormatChoice.choose(from: capabilities, bound: preset.maximumSize, rate: rate.flatMap { FrameRate($0) })
            .map { "\($0.fourCC):\($0.size)@\($0.frameRate.map { "\($0)" } ?? "?")" }
    }

    /// As the usual USB camera has it: raw pixels only as far as the bus goes.
    private func webcam() throws -> [V4L2Capability] {
        [
            try capability(
                "YUYV", [((320, 240), [30, 15]), ((640, 480), [30]), ((1280, 720), [10, 5]), ((1920, 1080), [5])]),
            try capability(
                "MJPG", [((640, 480), [30]), ((1280, 720), [60, 30]), ((1920, 1080), [30]), ((2592, 1944), [15])]),
        ]
    }

    @Test("takes the rate first, then the size that reaches the preset, then the cheapest")
    func webcamChoices() throws {
        #expect(try choice(webcam(), .high) == "MJPG:1920x1080@30")
        #expect(try choice(webcam(), .hd1280x720) == "MJPG:1280x720@30")
        #expect(try choice(webcam(), .medium) == "MJPG:640x480@30")
        #expect(try choice(webcam(), .low) == "YUYV:320x240@30")
        #expect(try choice(webcam(), .low, rate: 10) == "YUYV:320x240@15")
        #expect(try choice(webcam(), .hd1280x720, rate: 10) == "YUYV:1280x720@10")
        #expect(try choice(webcam(), .high, rate: 60) == "MJPG:1280x720@60")
        #expect(try choice(webcam(), .photo) == "MJPG:2592x1944@15")
    }

    @Test("takes the most that the camera has if it is below the rate")
    func slow() throws {
        let camera = [try capability("YUYV", [((640, 480), [25]), ((1280, 720), [12])])]
        #expect(choice(camera, .high) == "YUYV:640x480@25")
        #expect(choice(camera, .high, rate: 12) == "YUYV:1280x720@12")
        #expect(choice(camera, .high, rate: 5) == "YUYV:1280x720@12")
    }

    @Test("prefers untouched JPEG, planes, packed pixels, RGB, gray, in this order")
    func cost() throws {
        let modes: [Mode] = [((640, 480), [30])]
        var names = ["GREY", "RGB3", "YUYV", "NV12", "YU12", "MJPG"]
        while let best = names.popLast() {
            let camera = try (names + [best]).map { try capability($0, modes) }
            #expect(choice(camera, .high) == "\(best):640x480@30")
        }
    }

    @Test("scales down if nothing reaches the preset within it, and passes over what is not handled")
    func sizes() throws {
        let camera = [
            try capability("H264", [((320, 240), [30])]),
            try capability("YUYV", [((800, 600), [30]), ((1600, 1200), [30])]),
        ]
        #expect(choice(camera, .low) == "YUYV:800x600@30")
        #expect(choice(camera, .hd1280x720) == "YUYV:1600x1200@30")
        #expect(choice([try capability("H264", [((320, 240), [30])])], .low) == nil)
        #expect(choice([], .photo) == nil)
    }

    @Test("takes the preset's own size where the camera has any, and knows rates by range")
    func ranges() throws {
        let range = SizeRange(
            minimum: PixelSize(width: 2, height: 1), maximum: PixelSize(width: 4096, height: 4096),
            step: PixelSize(width: 2, height: 1))
        let rates = RateOptions.range(try #require(FrameRate(1)), try #require(FrameRate(120)))
        let camera = [
            V4L2Capability(
                fourCC: try #require(FourCC(parsing: "NV12")), description: "",
                sizes: [.init(size: range, rates: rates)])
        ]
        #expect(choice(camera, .qHD960x540) == "NV12:960x540@30")
        #expect(choice(camera, .photo, rate: 240) == "NV12:4096x4096@120")
        let unknown = [try capability("NV12", [((64, 64), [])])]
        #expect(choice(unknown, .high) == "NV12:64x64@?")
        let daily = try #require(FrameRate(1, 86_400))
        #expect(V4L2FormatChoice.choose(from: unknown, bound: nil, rate: daily)?.fourCC.description == "NV12")
    }

    @Test("reads a fixed format")
    func request() throws {
        let request = try #require(V4L2FormatRequest(parsing: "MJPG:1280x720@30"))
        #expect(request.description == "MJPG:1280x720@30")
        #expect(V4L2FormatRequest(parsing: "Y16:64x48")?.fourCC.description == "Y16")
        for text in ["", "MJPG", "MJPG:", "MJPG:640", "LONGER:640x480", ":640x480", "MJPG:640x480@0", "MJPG:1x1@1@1"] {
            #expect(V4L2FormatRequest(parsing: text) == nil)
        }
    }
}
