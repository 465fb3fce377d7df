import CameraProtocol
import Testing

@Suite("Sizes")
struct PixelSizeTests {
    @Test(
        "A picture fits within a bound, aspect kept, never larger",
        arguments: [
            ("1920x1080", "1280x720", "1280x720"),
            ("1280x720", "640x480", "640x360"),
            ("720x1280", "640x480", "270x480"),
            ("641x479", "1280x720", "641x479"),
            ("101x101", "100x100", "100x100"),
            ("4000x3000", "333x333", "332x248"),
            ("10000x1", "100x100", "100x1"),
            ("640x480", "1x1", "1x1"),
        ])
    func fitted(picture: String, bound: String, expected: String) throws {
        let picture = try #require(PixelSize(parsing: picture))
        let bound = try #require(PixelSize(parsing: bound))
        #expect(picture.fitted(within: bound).description == expected)
    }

    @Test(
        "Only two numbers from 1 to 65535 are a size",
        arguments: ["", "x", "640", "640x", "0x480", "640x0", "65536x1", "640x480x2", "-1x5", " 640x480", "640X480"])
    func refused(text: String) {
        #expect(PixelSize(parsing: text) == nil)
    }

    @Test("A crop lies within its picture, without overflow")
    func contained() {
        let picture = PixelSize(width: 640, height: 480)
        func crop(_ x: UInt32, _ y: UInt32, _ width: UInt32, _ height: UInt32) -> PixelRectangle {
            PixelRectangle(x: x, y: y, size: PixelSize(width: width, height: height))
        }
        #expect(crop(0, 0, 640, 480).isContained(in: picture))
        #expect(crop(639, 479, 1, 1).isContained(in: picture))
        #expect(!crop(1, 0, 640, 480).isContained(in: picture))
        #expect(!crop(0, 0, 0, 480).isContained(in: picture))
        #expect(!crop(.max, 0, .max, 1).isContained(in: picture))
    }
}

@Suite("Names of cameras")
struct CameraNameTests {
    @Test("have letters, digits, - and _, 1 to 255 of them")
    func names() {
        for name in ["a", "Front-door_2", String(repeating: "x", count: 255)] { #expect(name.isCameraName) }
        for name in ["", "a b", "a.b", "kamera\u{e4}", "a=", "\u{661}", String(repeating: "x", count: 256)] {
            #expect(!name.isCameraName, "\(name)")
        }
    }
}

@Suite("Frame rates")
struct FrameRateTests {
    @Test(
        "A rate is a number or a fraction, the broadcast ones exact",
        arguments: zip(
            ["30", "29.97", "23.976", "59.94", "12.5", "30000/1001", "0.5", "1000"],
            [
                (30, 1), (30000, 1001), (24000, 1001), (60000, 1001), (12500, 1000), (30000, 1001), (500, 1000),
                (1000, 1),
            ]
                as [(UInt32, UInt32)]))
    func parsed(text: String, parts: (UInt32, UInt32)) {
        #expect(FrameRate(parsing: text) == FrameRate(parts.0, parts.1))
    }

    @Test("What is no rate is refused", arguments: ["", "0", "-1", "1001", "30/0", "0/1", "1/2000", "nan", "inf", "x"])
    func refused(text: String) {
        #expect(FrameRate(parsing: text) == nil)
    }

    @Test(
        "A rate's text is short and reads back", arguments: ["30", "29.97", "23.98", "59.94", "12.5", "7.25", "1/300"])
    func text(text: String) throws {
        let rate = try #require(FrameRate(parsing: text))
        #expect(rate.description == text)
    }

    @Test("The time of a frame is exact however many came before")
    func time() throws {
        let film = try #require(FrameRate(24000, 1001))
        #expect(film.time(ofFrame: 1) == 41_708_333)
        #expect(film.time(ofFrame: 24_000_000) == 1_001_000_000_000_000)
        let odd = try #require(FrameRate(.max, .max - 1))
        #expect(odd.time(ofFrame: 10_000_000_000) == 9_999_999_997_671_693_562)
    }

    @Test("Rates are ordered as fractions, and their interval is never 0")
    func order() throws {
        let film = try #require(FrameRate(24000, 1001))
        let cinema = try #require(FrameRate(24))
        #expect(film < cinema)
        #expect(!(cinema < film))
        #expect(film.intervalNanoseconds == 41_708_333)
        #expect(FrameRate(.max)?.intervalNanoseconds == 1)
        #expect(FrameRate(1, .max)?.intervalNanoseconds == 4_294_967_295_000_000_000)
    }
}

@Suite("Drops")
struct DropCountsTests {
    @Test("Counts add up by reason")
    func sums() {
        var drops = DropCounts(.noCredit, 3)
        drops.add(.rateCap)
        drops.add(DropCounts(.noCredit, 2))
        #expect(drops[.noCredit] == 5)
        #expect(drops.total == 6)
        #expect(drops.pairs.map(\.reason) == [.rateCap, .noCredit])
        #expect(drops.description == "rateCap 1, noCredit 5")
        #expect(!drops.isEmpty)
        #expect(DropCounts().isEmpty)
    }

    @Test("Counts that a peer invents do not trap")
    func overflow() {
        var drops = DropCounts(.source, .max)
        drops.add(.source, 2)
        drops.add(.corrupt, .max)
        #expect(drops[.source] == 1)
        #expect(drops.total == 0)
    }
}

@Suite("Presets")
struct SessionPresetTests {
    @Test("A preset is found by its name only", arguments: SessionPreset.allCases)
    func names(preset: SessionPreset) {
        #expect(SessionPreset(name: preset.name) == preset)
        #expect(SessionPreset(name: preset.name.uppercased()) == nil)
    }

    @Test("A preset that names a size has that size", arguments: SessionPreset.allCases)
    func sizes(preset: SessionPreset) {
        let digits = preset.name.drop { !$0.isNumber }
        guard digits.contains("x"), let size = preset.maximumSize else { return }
        #expect(preset.name.hasSuffix(size.description))
    }
}

@Suite("Pixel formats")
struct PixelFormatTests {
    @Test(
        "A picture of odd sides rounds its chroma up",
        arguments: zip(PixelFormat.allCases, [60, 45, 45, 15, 27, 33, 45, 27, 36, 36]))
    func oddSides(format: PixelFormat, byteCount: Int) {
        #expect(format.byteCount(width: 5, height: 3) == byteCount)
    }

    @Test("One pixel has every component", arguments: zip(PixelFormat.allCases, [4, 3, 3, 1, 3, 3, 3, 3, 4, 4]))
    func onePixel(format: PixelFormat, byteCount: Int) {
        #expect(format.byteCount(width: 1, height: 1) == byteCount)
    }

    @Test("The largest picture does not overflow", arguments: PixelFormat.allCases)
    func largest(format: PixelFormat) {
        #expect(format.byteCount(width: Limits.pixelCount, height: 1) >= Limits.pixelCount)
        #expect(format.byteCount(width: 1, height: Limits.pixelCount) >= Limits.pixelCount)
    }
}
