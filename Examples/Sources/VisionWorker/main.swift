// A remote vision worker: says where something moves in front of a camera on another machine.
//
//     VisionWorker HOST[:PORT] [FRAMES]

import CameraClient
import Foundation

/// Compares each picture with the one before, in cells of 16 by 16 pixels.
struct MotionDetector {
    private var last: [Int] = []

    /// A rectangle around each part of a gray picture that has changed.
    mutating func motion(in picture: PixelBuffer) -> [PixelRectangle] {
        let (columns, rows) = (picture.width / 16, picture.height / 16)
        let stride = columns + 1  // A column that never changes keeps the end of a row from the next one's beginning.
        var sums = [Int](repeating: 0, count: stride * rows)
        let (gray, bytesPerRow) = (picture.bytes(), picture.bytesPerRow)
        for y in 0..<rows * 16 {
            for x in 0..<columns * 16 { sums[y / 16 * stride + x / 16] += Int(gray[y * bytesPerRow + x]) }
        }
        defer { last = sums }
        guard last.count == sums.count else { return [] }
        // Five levels of 255 on average are more than the noise of a sensor or of a codec.
        var changed = Set(sums.indices.filter { abs(sums[$0] - last[$0]) > 16 * 16 * 5 })
        var boxes: [PixelRectangle] = []
        while let first = changed.popFirst() {
            var (left, right, top, bottom) = (first % stride, first % stride, first / stride, first / stride)
            var pending = [first]
            while let cell = pending.popLast() {
                (left, right) = (min(left, cell % stride), max(right, cell % stride))
                (top, bottom) = (min(top, cell / stride), max(bottom, cell / stride))
                let neighbours = [cell - 1, cell + 1, cell - stride, cell + stride]
                pending += neighbours.filter { changed.remove($0) != nil }
            }
            let size = PixelSize(width: UInt32(right - left + 1) * 16, height: UInt32(bottom - top + 1) * 16)
            boxes.append(PixelRectangle(x: UInt32(left) * 16, y: UInt32(top) * 16, size: size))
        }
        return boxes
    }
}

guard CommandLine.arguments.count > 1 else {
    print("usage: VisionWorker HOST[:PORT] [FRAMES]")
    exit(64)
}
let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? .max
var options = RemoteCameraOptions()
options.content = .pixels(.gray8)
let camera = try await RemoteCamera(CommandLine.arguments[1], preset: .vga640x480, options: options)

var detector = MotionDetector()
for try await frame in camera.frames.prefix(count) {
    for box in detector.motion(in: frame.pixelBuffer) {
        print("frame \(frame.sequence), \(frame.age()) old: motion in \(box.size) at \(box.x),\(box.y)")
    }
}
