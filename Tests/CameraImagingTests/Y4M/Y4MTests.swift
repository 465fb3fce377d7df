import CameraImaging
import CameraMedia
import Foundation
import Testing

@Suite("YUV4MPEG2")
struct Y4MTests {
    /// Gives `body` a descriptor that reads `bytes` and then ends; a thread feeds it in small pieces.
    @discardableResult
    private func reading<Result>(_ bytes: [UInt8], _ body: (Int32) throws -> Result) throws -> Result {
        let pipe = Pipe()
        let thread = Thread { @Sendable in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(1000 + rest.count % 7)
                guard (try? pipe.fileHandleForWriting.write(contentsOf: Data(piece))) != nil else { break }
                rest = rest.dropFirst(piece.count)
            }
            try? pipe.fileHandleForWriting.close()
        }
        signal(SIGPIPE, SIG_IGN)
        thread.start()
        defer { try? pipe.fileHandleForReading.close() }
        return try body(pipe.fileHandleForReading.fileDescriptor)
    }

    private func stream(_ line: String, _ frames: [[UInt8]], frameLine: String = "FRAME") -> [UInt8] {
        Array("\(line)\n".utf8) + frames.flatMap { Array("\(frameLine)\n".utf8) + $0 }
    }

    private func bytes(_ count: Int, seed: Int) -> [UInt8] { (0..<count).map { UInt8(($0 * 31 + seed * 97) & 255) } }

    @Test(
        "Every layout is read bit for bit, odd sizes included",
        arguments: [
            ("C420jpeg", PixelFormat.i420), ("C420mpeg2", .i420), ("C420paldv", .i420), ("C420", .i420), ("", .i420),
            ("C422", .i422), ("C444", .i444), ("Cmono", .gray8),
        ])
    func layouts(_ tag: String, _ pixelFormat: PixelFormat) throws {
        for (width, height) in [(16, 8), (17, 9), (1, 1)] {
            let count = pixelFormat.byteCount(width: width, height: height)
            let frames = (0..<3).map { bytes(count, seed: $0) }
            let line = "YUV4MPEG2 W\(width) H\(height) F30000:1001 Ip A1:1 \(tag)"
            for frameLine in ["FRAME", "FRAME Ixyz XCOMMENT", "FRAME "] {
                try reading(stream(line, frames, frameLine: frameLine)) { descriptor in
                    var reader = try Y4MReader(descriptor: descriptor)
                    #expect(reader.header.pixelFormat == pixelFormat && reader.header.colorimetry == .webp)
                    #expect(reader.header.frameRate == FrameRate(30000, 1001))
                    let pool = MemoryPool(limit: 1)
                    for (index, frame) in frames.enumerated() {
                        let picture = try #require(try reader.readFrame(pool: pool))
                        #expect(picture.packedBytes() == frame && picture.width == width && picture.height == height)
                        #expect(reader.frameCount == index + 1)
                    }
                    #expect(try reader.readFrame(pool: pool) == nil)
                    #expect(pool.counts == (0, 1))
                }
            }
        }
    }

    @Test("The first line's parameters")
    func header() throws {
        let full = try Y4MHeader(parsing: "YUV4MPEG2 W4 H2 F25:1 XCOLORRANGE=FULL C444 XYSCSS=444")
        #expect(full.colorimetry == .jpeg && full.frameRate == FrameRate(25) && full.pixelFormat == .i444)
        let limited = try Y4MHeader(parsing: "YUV4MPEG2 H2160 W3840 F0:0 C420mpeg2 XCOLORRANGE=LIMITED")
        #expect(limited.colorimetry == .webp && limited.frameRate == nil)
        let faults: [(String, Y4MError)] = [
            ("YUV4MPEG W4 H2", .notY4M), ("", .notY4M), ("YUV4MPEG2 W4", .badSize), ("YUV4MPEG2 W0 H2", .badSize),
            ("YUV4MPEG2 W65536 H65536", .badSize), ("YUV4MPEG2 W-4 H2", .badParameter("W-4")),
            ("YUV4MPEG2 W4 H2 F25", .badParameter("F25")), ("YUV4MPEG2 W4 H2 Fx:1", .badParameter("Fx:1")),
            ("YUV4MPEG2 W4 H2 C420p10", .unsupportedColorSpace("420p10")),
            ("YUV4MPEG2 W4 H2 C411", .unsupportedColorSpace("411")),
            ("YUV4MPEG2 W4 H2 C444alpha", .unsupportedColorSpace("444alpha")),
        ]
        for (line, error) in faults { #expect(throws: error) { try Y4MHeader(parsing: line) } }
    }

    @Test("A stream that ends within a frame says so, wherever")
    func cutShort() throws {
        let frames = [bytes(12, seed: 1), bytes(12, seed: 2)]
        let whole = stream("YUV4MPEG2 W4 H2 F25:1 C420", frames)
        let headerLength = whole.count - 2 * 18
        for count in headerLength..<whole.count {
            try reading(Array(whole.prefix(count))) { descriptor in
                var reader = try Y4MReader(descriptor: descriptor)
                let pool = MemoryPool(limit: 1)
                let expected = (count - headerLength) / 18
                for _ in 0..<expected { #expect(try reader.readFrame(pool: pool) != nil) }
                if (count - headerLength) % 18 == 0 {
                    #expect(try reader.readFrame(pool: pool) == nil)
                } else {
                    #expect(throws: Y4MError.truncated(frame: expected)) { try reader.readFrame(pool: pool) }
                }
            }
        }
        for count in 0..<headerLength {
            try reading(Array(whole.prefix(count))) { descriptor in
                #expect(throws: Y4MError.notY4M) { try Y4MReader(descriptor: descriptor) }
            }
        }
    }

    @Test("Something else between frames is an error", arguments: ["FRAMES", "frame", "\0\0\0\0\0\0\0"])
    func badFrame(_ line: String) throws {
        try reading(stream("YUV4MPEG2 W2 H2 C420", [[1, 2, 3, 4, 5, 6]], frameLine: line)) { descriptor in
            var reader = try Y4MReader(descriptor: descriptor)
            #expect(throws: Y4MError.badFrameHeader(frame: 0)) { try reader.readFrame(pool: MemoryPool(limit: 1)) }
        }
    }

    @Test("A line without an end is given up, not read for ever")
    func endlessLine() throws {
        let endless = Array("YUV4MPEG2 W2 H2 X".utf8) + [UInt8](repeating: 65, count: 5000)
        try reading(endless) { descriptor in
            #expect(throws: Y4MError.notY4M) { try Y4MReader(descriptor: descriptor) }
        }
    }

    @Test("Without a free buffer nothing is lost")
    func outOfBuffers() throws {
        let frames = [bytes(6, seed: 1), bytes(6, seed: 2)]
        try reading(stream("YUV4MPEG2 W2 H2 C420", frames)) { descriptor in
            var reader = try Y4MReader(descriptor: descriptor)
            let pool = MemoryPool(limit: 1)
            do {
                let held = try reader.readFrame(pool: pool)
                #expect(throws: Y4MError.outOfBuffers) { try reader.readFrame(pool: pool) }
                #expect(held?.packedBytes() == frames[0])
            }
            #expect(try reader.readFrame(pool: pool)?.packedBytes() == frames[1])
        }
    }

    @Test("A wait for input ends when interrupted")
    func interrupt() throws {
        let (input, interrupt) = (Pipe(), Pipe())
        try input.fileHandleForWriting.write(contentsOf: Data("YUV4MPEG2 W2 H2 C420\nFRAME\nabc".utf8))
        var reader = try Y4MReader(
            descriptor: input.fileHandleForReading.fileDescriptor,
            interruptedBy: interrupt.fileHandleForReading.fileDescriptor)
        let thread = Thread { @Sendable in try? interrupt.fileHandleForWriting.write(contentsOf: Data([1])) }
        thread.start()
        #expect(throws: Y4MError.interrupted) { try reader.readFrame(pool: MemoryPool(limit: 1)) }
    }

    @Test("What is written is read again, padded rows included", arguments: [PixelFormat.i420, .i422, .i444, .gray8])
    func roundTrip(_ pixelFormat: PixelFormat) throws {
        for colorimetry in [Colorimetry.webp, .jpeg] {
            let count = pixelFormat.byteCount(width: 5, height: 3)
            let frames = try (0..<2).map { index in
                let data = SharedBytes(copying: bytes(count, seed: index))
                let picture = try ImageDecoder(pool: MemoryPool(limit: 1)).decodeNative(
                    EncodedImage(
                        codec: .raw, width: 5, height: 3, pixelFormat: pixelFormat, colorimetry: colorimetry, data: data
                    ))
                return index == 0 ? picture : try TestPicture.padded(picture, by: 11)
            }
            let pipe = Pipe()
            var writer = Y4MWriter(
                descriptor: pipe.fileHandleForWriting.fileDescriptor, frameRate: FrameRate(24000, 1001))
            for frame in frames { try writer.write(frame) }
            let other = try TestPicture.padded(width: 6, height: 3, pixelFormat, colorimetry, padding: 0) { _ in }
            #expect(throws: Y4MError.formatChanged) { try writer.write(other) }
            try pipe.fileHandleForWriting.close()
            var reader = try Y4MReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
            #expect(reader.header.colorimetry == colorimetry && reader.header.frameRate == FrameRate(24000, 1001))
            for frame in frames {
                #expect(try reader.readFrame(pool: MemoryPool(limit: 1))?.packedBytes() == frame.packedBytes())
            }
            #expect(try reader.readFrame(pool: MemoryPool(limit: 1)) == nil)
        }
    }

    @Test("A layout that the format lacks is refused")
    func refusedLayout() throws {
        var writer = Y4MWriter(descriptor: -1)
        let picture = try TestPicture.bgra(width: 2, height: 2)
        #expect(throws: Y4MError.unsupportedColorSpace("bgra")) { try writer.write(picture) }
    }
}
