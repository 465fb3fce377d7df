@_exported public import CameraMedia
