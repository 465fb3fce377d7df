// Collects pictures of a remote camera: one whenever the view has changed, and one every so many seconds if not.
//
//     DatasetCollector HOST[:PORT] FOLDER [SECONDS [PICTURES]]
//
// The files are JPEG and tell in EXIF when each picture was taken, in UTC.

import CameraClient
import Foundation

/// A few pixels that are alike for pictures that are.
func fingerprint(of image: Image) throws -> [UInt8] {
    try image.resized(to: PixelSize(width: 16, height: 12)).pixelBuffer.packedBytes()
}

/// The mean difference of two fingerprints in levels, 0 to 255.
func difference(_ one: [UInt8], _ other: [UInt8]) -> Int {
    zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } / max(one.count, 1)
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
    print("usage: DatasetCollector HOST[:PORT] FOLDER [SECONDS [PICTURES]]")
    exit(64)
}
let folder = arguments[2]
let interval = Duration.seconds(arguments.count > 3 ? Double(arguments[3]) ?? 10 : 10)
let count = arguments.count > 4 ? Int(arguments[4]) ?? .max : .max
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)

let camera = try await RemoteCamera(arguments[1])
var kept: (fingerprint: [UInt8], time: HostTime)?
var number = 0
for try await frame in camera.frames {
    let image = try Image(frame)
    let fingerprint = try fingerprint(of: image)
    if let kept {
        let isDue = frame.presentationTime.duration(since: kept.time) >= interval
        guard isDue || difference(fingerprint, kept.fingerprint) > 4 else { continue }
    }
    kept = (fingerprint, frame.presentationTime)
    number += 1
    let path = "\(folder)/\(number).jpg"
    try image.write(to: path)
    print("\(path): frame \(frame.sequence), \(image.size)")
    if number == count { break }
}
