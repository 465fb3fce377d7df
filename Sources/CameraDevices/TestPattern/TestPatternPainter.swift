import CameraMedia
import CameraProtocol

/// Paints the test pattern: colour bars with a disc that bounces over them, a gray ramp with a line that sweeps it, and
/// the frame's number and nominal time in a dark panel.
///
/// What does not move is painted once and copied.
struct TestPatternPainter: Sendable {
    let size: PixelSize
    let rate: FrameRate
    private let layout: TestPatternLayout
    private let background: [UInt8]

    init(size: PixelSize, rate: FrameRate) {
        self.size = size
        self.rate = rate
        layout = TestPatternLayout(width: Int(size.width), height: Int(size.height))
        background = layout.makeBackground()
    }

    /// The picture of a frame, in a block of `pool`.
    ///
    /// - Throws: ``PixelBufferError`` if the pool has none left.
    func makePicture(of frame: UInt64, pool: MemoryPool) throws -> PixelBuffer {
        try PixelBuffer(width: layout.width, height: layout.height, pixelFormat: .i420, colorimetry: .webp, pool: pool)
        {
            planes in
            background.withUnsafeBufferPointer { background in
                if let source = background.baseAddress { planes[0].base.update(from: source, count: background.count) }
            }
            paintDisc(of: frame, in: planes)
            paintSweep(of: frame, in: planes[0])
            paint(text(of: frame), in: planes[0])
        }
    }

    /// The frame's number and nominal time: `00000123 00:00:04.100`.
    func text(of frame: UInt64) -> String {
        let milliseconds = rate.time(ofFrame: frame) / 1_000_000
        let (seconds, minutes) = (milliseconds / 1000, milliseconds / 60_000)
        let time = [minutes / 60, minutes % 60, seconds % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(Self.padded(frame, 8)) \(time).\(Self.padded(milliseconds % 1000, 3))"
    }

    private static func padded(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

// MARK: - What moves

extension TestPatternPainter {
    private func paintDisc(of frame: UInt64, in planes: [PlaneMemory]) {
        let radius = layout.discRadius
        let left = Self.bounce(frame, step: layout.width / 160 + 1, range: layout.width - 2 * radius)
        let top = Self.bounce(frame, step: layout.height / 120 + 1, range: layout.barsEnd - 2 * radius)
        // Chroma rows are shared by two rows of luma: on even coordinates the disc has the same edge in all planes.
        paintDisc(in: planes[0], left: left & ~1, top: top & ~1, radius: radius, value: 235)
        for plane in planes[1...] {
            paintDisc(in: plane, left: left / 2, top: top / 2, radius: radius / 2, value: 128)
        }
    }

    private func paintDisc(in plane: PlaneMemory, left: Int, top: Int, radius: Int, value: UInt8) {
        for row in 0..<(2 * radius) where top + row < plane.rowCount {
            let half = layout.halfWidthOfDisc(radius: radius, row: row)
            let begin = min(left + radius - half, plane.shape.rowByteCount)
            let end = min(left + radius + half, plane.shape.rowByteCount)
            (plane.base + (top + row) * plane.bytesPerRow + begin).update(repeating: value, count: end - begin)
        }
    }

    private func paintSweep(of frame: UInt64, in luma: PlaneMemory) {
        let thickness = layout.width / 160 + 1
        let left = Self.bounce(frame, step: thickness, range: layout.width - thickness)
        for row in layout.barsEnd..<layout.rampEnd {
            (luma.base + row * luma.bytesPerRow + left).update(repeating: 16, count: thickness)
        }
    }

    private func paint(_ text: String, in luma: PlaneMemory) {
        let scale = layout.textScale
        for (index, character) in text.enumerated() {
            let left = layout.textLeft + index * TestPatternFont.advance * scale
            guard left + TestPatternFont.advance * scale <= layout.width else { return }
            for (dotRow, dots) in TestPatternFont.rows(of: character).enumerated() where dots != 0 {
                for row in 0..<scale {
                    let y = layout.textTop + dotRow * scale + row
                    guard y < layout.height else { return }
                    let start = luma.base + y * luma.bytesPerRow + left
                    for column in 0..<5 where dots & (0b10000 >> UInt8(column)) != 0 {
                        (start + column * scale).update(repeating: 235, count: scale)
                    }
                }
            }
        }
    }

    /// A place between 0 and `range` that moves by `step` a frame and turns at both ends.
    private static func bounce(_ frame: UInt64, step: Int, range: Int) -> Int {
        guard range > 0 else { return 0 }
        let period = UInt64(2 * range)
        let place = Int(frame % period * (UInt64(step) % period) % period)
        return place <= range ? place : 2 * range - place
    }
}
