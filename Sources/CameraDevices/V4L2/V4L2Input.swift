package import CameraCapture
import CameraProtocol

/// A camera behind Video4Linux.
///
/// Frames are the driver's own buffers, shared by reference; JPEG from the camera stays as it is. When the camera is
/// unplugged, fails or stalls, the input is interrupted, and goes on in a new epoch when the camera is back.
package final class V4L2Input: CaptureInput {
    /// What a person calls it.
    package let localizedName: String

    private let path: String
    private let request: V4L2FormatRequest?
    private let run = SourceRun()

    /// Creates an input; the device is opened when the session starts.
    ///
    /// - Parameters:
    ///   - devicePath: `/dev/video0`, or a link to such a node.
    ///   - name: What a person calls it; `nil`: the path.
    ///   - format: A fixed format; `nil`: the best for the session's preset and rate.
    package init(devicePath: String, name: String? = nil, format: V4L2FormatRequest? = nil) {
        path = devicePath
        localizedName = name ?? devicePath
        request = format
    }

    /// Opens the camera and begins to deliver.
    ///
    /// - Throws: ``CaptureInputError`` if there is no such device, it may not be opened, is busy, is no camera, or has
    ///   no format that is handled.
    package func start(_ configuration: CaptureConfiguration, port: CaptureInputPort) throws {
        let camera = try V4L2Camera(path: path, request: request, configuration: configuration, port: port)
        try run.start(camera, name: "camera")
    }

    /// Ends the delivery and closes the camera.
    package func stop() {
        run.stop()
    }
}
