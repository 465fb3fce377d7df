// What the samples in the documentation take for granted; `scripts/documentation` compiles them with it.

import CameraCapture

/// A worker's own function.
func detect(_ picture: PixelBuffer) {}
