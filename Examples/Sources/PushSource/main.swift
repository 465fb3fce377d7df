// A program that makes its own pictures and is a camera to others: a box that goes round on gray, 30 times a second.
//
//     PushSource [PORT]          camclient localhost shows it; port 9000 unless given

import CameraCapture
import CameraServer
import Foundation

// The ten lines that make it a camera.
let source = FrameSource(localizedName: "Going round", frameRate: .thirty)
let server = try CameraServer()
let session = CaptureSession()
session.addInput(source)
session.addOutput(try server.addCamera(name: "box", localizedName: source.localizedName))
session.startRunning()
let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? Limits.defaultPort
for address in try server.listen(on: ["localhost"], port: port) { print("listening on \(address)") }
fflush(nil)

// The pictures, each with the time that it shows.
let (width, height, side) = (320, 240, 40)
let pool = MemoryPool(limit: 16)
let start = HostTime.now()
for number in 0... {
    let time = start.advanced(by: FrameRate.thirty.time(ofFrame: UInt64(number)))
    try await Task.sleep(for: time.duration(since: .now()))
    guard source.isWanted else {
        source.skip()
        continue
    }
    let box = (x: number * 2 % (width - side), y: (height - side) / 2)
    let picture = try PixelBuffer(width: width, height: height, pixelFormat: .gray8, pool: pool) { planes in
        for y in 0..<height {
            planes[0].withRow(y) { row in
                for x in row.indices {
                    let isInside = (box.x..<box.x + side).contains(x) && (box.y..<box.y + side).contains(y)
                    row[x] = isInside ? 235 : 64
                }
            }
        }
    }
    try source.push(picture, at: CaptureTime(at: time))
}
