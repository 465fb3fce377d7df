@_exported public import CameraImaging
@_exported public import CameraMedia
@_exported public import CameraProtocol
