// The classic recipe: a camera, or the test pattern where there is none, and a picture file of each frame.
//
//     ClassicRecipe [FOLDER [SECONDS]]

import CameraCapture
import CameraDevices
import Dispatch
import Foundation

final class FrameWriter: VideoDataOutputSampleBufferDelegate {
    let folder: String

    init(folder: String) { self.folder = folder }

    func captureOutput(
        _ output: VideoDataOutput, didOutput sampleBuffer: SampleBuffer, from connection: CaptureConnection
    ) {
        do {
            let image = try Image(sampleBuffer)
            let path = "\(folder)/\(sampleBuffer.sequence).jpg"
            try image.write(to: path)
            print("\(path): \(image.width)x\(image.height)")
        } catch {
            print("frame \(sampleBuffer.sequence): \(error)")
        }
    }

    func captureOutput(
        _ output: VideoDataOutput, didDrop samples: DroppedSamples, from connection: CaptureConnection
    ) {
        print("dropped: \(samples.drops)")
    }
}

let arguments = CommandLine.arguments
let writer = FrameWriter(folder: arguments.count > 1 ? arguments[1] : ".")

let session = CaptureSession()
session.sessionPreset = .medium

let device = CaptureDevice.default(for: .video) ?? .testPattern
let input = try CaptureDeviceInput(device: device)
session.addInput(input)

let output = VideoDataOutput()
session.addOutput(output)
output.setSampleBufferDelegate(writer, queue: DispatchQueue(label: "frames"))
output.videoSettings.pixelFormat = .bgra32
output.minFrameDuration = FrameDuration(1, 15)

session.startRunning()
Thread.sleep(forTimeInterval: arguments.count > 2 ? Double(arguments[2]) ?? 2 : 2)
session.stopRunning()
