@_exported public import CameraCapture
@_exported public import CameraMedia
@_exported public import CameraProtocol
@_exported public import CameraTransport
