@_exported public import CameraCapture
