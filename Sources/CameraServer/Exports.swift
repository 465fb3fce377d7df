@_exported public import CameraCapture

@_exported public import struct CameraTransport.SocketError
