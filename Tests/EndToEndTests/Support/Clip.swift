import Foundation

/// A short clip in the Y4M format whose frames all differ, made from nothing but numbers.
struct Clip {
    /// How a Y4M file names the sampling of its colour, and how much smaller its colour planes are.
    enum Sampling: String, CaseIterable {
        case yuv420 = "C420jpeg"
        case yuv422 = "C422"
        case yuv444 = "C444"
        case mono = "Cmono"

        /// Columns and rows of luma that share a sample of colour; `nil` without colour.
        var divisors: (horizontal: Int, vertical: Int)? {
            switch self {
            case .yuv420: (2, 2)
            case .yuv422: (2, 1)
            case .yuv444: (1, 1)
            case .mono: nil
            }
        }
    }

    let width: Int
    let height: Int
    let sampling: Sampling
    /// The planes of each frame, one after the other.
    let frames: [[UInt8]]

    /// A clip of smooth shapes with noise on them, like a photograph's.
    init(width: Int, height: Int, sampling: Sampling = .yuv420, frameCount: Int) {
        self.width = width
        self.height = height
        self.sampling = sampling
        var planes = [(width, height)]
        if let (horizontal, vertical) = sampling.divisors {
            let size = ((width + horizontal - 1) / horizontal, (height + vertical - 1) / vertical)
            planes += [size, size]
        }
        frames = (0..<frameCount).map { number in
            planes.enumerated().flatMap { plane, size in
                Self.plane(size, number: number, mean: plane == 0 ? 120 : 128, swing: plane == 0 ? 90 : 40)
            }
        }
    }

    /// The file.
    var file: [UInt8] {
        let header = "YUV4MPEG2 W\(width) H\(height) F30:1 Ip A1:1 \(sampling.rawValue)\n"
        return Array(header.utf8) + frames.flatMap { Array("FRAME\n".utf8) + $0 }
    }

    /// The frames of a file in this clip's size and sampling, without looking at the header; `nil` if it is no such file.
    func frames(of file: [UInt8]) -> [[UInt8]]? {
        guard let header = file.firstIndex(of: UInt8(ascii: "\n")), file.starts(with: Array("YUV4MPEG2 ".utf8)),
            let length = frames.first?.count
        else { return nil }
        var rest = file[(header + 1)...]
        var found: [[UInt8]] = []
        while !rest.isEmpty {
            guard rest.starts(with: Array("FRAME".utf8)), let line = rest.firstIndex(of: UInt8(ascii: "\n")),
                rest.endIndex - line > length
            else { return nil }
            found.append(Array(rest[(line + 1)...(line + length)]))
            rest = rest[(line + length + 1)...]
        }
        return found
    }

    private static func plane(_ size: (width: Int, height: Int), number: Int, mean: Double, swing: Double) -> [UInt8] {
        var noise = UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15
        var samples: [UInt8] = []
        samples.reserveCapacity(size.width * size.height)
        for row in 0..<size.height {
            let vertical = sin(Double(row) / 17 + Double(number) / 5)
            for column in 0..<size.width {
                noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let shape = vertical * cos(Double(column) / 23 - Double(number) / 7)
                samples.append(UInt8(mean + swing * shape + Double(noise >> 61) - 3.5))
            }
        }
        return samples
    }
}
