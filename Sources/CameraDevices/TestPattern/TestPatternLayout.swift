import CameraMedia

/// Where the parts of the test pattern are, and the parts that do not move.
struct TestPatternLayout: Sendable {
    let width: Int
    let height: Int
    /// The row below the colour bars.
    let barsEnd: Int
    /// The row below the ramp; the panel with the text goes from here to the bottom.
    let rampEnd: Int
    /// Half the disc's diameter; even, 0 if there is no room.
    let discRadius: Int
    /// The pixels of a dot of the text.
    let textScale: Int
    let textLeft: Int
    let textTop: Int

    private static let textLength = 21

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        barsEnd = height * 2 / 3
        rampEnd = height * 3 / 4
        discRadius = min(width, height) / 9 & ~1
        let textWidth = Self.textLength * TestPatternFont.advance
        textScale = max(1, min(width * 9 / 10 / textWidth, (height - rampEnd) * 7 / 10 / TestPatternFont.height))
        textLeft = max(0, (width - textWidth * textScale) / 2)
        textTop = rampEnd + max(0, (height - rampEnd - TestPatternFont.height * textScale) / 2)
    }

    /// Half the width of a row of a disc.
    func halfWidthOfDisc(radius: Int, row: Int) -> Int {
        let distance = Double(radius) - Double(row) - 0.5
        return Int((Double(radius * radius) - distance * distance).squareRoot())
    }

    /// The parts that do not move: an I420 picture without padding.
    func makeBackground() -> [UInt8] {
        let byteCount = PixelFormat.i420.byteCount(width: width, height: height)
        return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
            if let base = bytes.baseAddress { paintBackground(at: base) }
            count = byteCount
        }
    }

    private func paintBackground(at base: UnsafeMutablePointer<UInt8>) {
        let planes = PlaneMemory.packed(.i420, width: width, height: height, at: base)
        for (component, plane) in planes.enumerated() {
            let columns = plane.shape.rowByteCount
            let divisor = component == 0 ? 1 : 2
            for row in 0..<plane.rowCount {
                let line = plane.base + row * plane.bytesPerRow
                if row * divisor < barsEnd {
                    for column in 0..<columns {
                        line[column] = Self.bars[column * Self.bars.count / columns][component]
                    }
                } else if component > 0 {
                    line.update(repeating: 128, count: columns)
                } else if row < rampEnd {
                    for column in 0..<columns { line[column] = UInt8(16 + column * 219 / max(columns - 1, 1)) }
                } else {
                    line.update(repeating: 40, count: columns)
                }
            }
        }
    }

    /// The 75 % colour bars in BT.601, limited range: white, yellow, cyan, green, magenta, red, blue.
    private static let bars: [[UInt8]] = [
        [180, 128, 128], [162, 44, 142], [131, 156, 44], [112, 72, 58], [84, 184, 198], [65, 100, 212], [35, 212, 114],
    ]
}
