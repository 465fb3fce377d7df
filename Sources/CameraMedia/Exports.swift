@_exported public import CameraProtocol
