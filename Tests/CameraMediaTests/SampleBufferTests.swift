import CameraMedia
import Testing

@Suite("Sample buffer")
struct SampleBufferTests {
    private func sample(_ content: SampleBuffer.Content) -> SampleBuffer {
        SampleBuffer(
            content: content, position: FramePosition(epoch: 7, sequence: 42),
            captureTime: CaptureTime(host: HostTime(nanoseconds: 1_000), utcNanoseconds: 5),
            capturedAt: HostTime(nanoseconds: 1_500), duration: FrameDuration(1, 15),
            drops: DropCounts(.rateCap, 2), captureTimeUncertainty: 9, sourceName: "Camera")
    }

    @Test("Timing and place of a frame, by AVFoundation's names")
    func timing() throws {
        let buffer = try PixelBuffer(width: 3, height: 2, pixelFormat: .gray8, colorimetry: .jpeg) { _ in }
        let frame = sample(.pixels(buffer))
        #expect(frame.presentationTime == HostTime(nanoseconds: 1_000))
        #expect(frame.sequence == 42 && frame.epoch == 7 && frame.sourceName == "Camera")
        #expect(frame.imageBuffer === buffer && frame.size == PixelSize(width: 3, height: 2))
    }

    @Test("An image that is still encoded has a size, but no pixels")
    func encoded() {
        let image = EncodedImage(
            codec: .webp, width: 5, height: 4, colorimetry: .webp, data: SharedBytes(copying: []))
        #expect(sample(.encoded(image)).imageBuffer == nil)
        #expect(sample(.encoded(image)).size == PixelSize(width: 5, height: 4))
    }

    @Test("The age counts from when the picture was taken, and is never negative")
    func age() throws {
        let frame = sample(
            .pixels(try PixelBuffer(width: 1, height: 1, pixelFormat: .gray8, colorimetry: .jpeg) { _ in }))
        #expect(frame.age(at: HostTime(nanoseconds: 251_000)) == .microseconds(250))
        #expect(frame.age(at: HostTime(nanoseconds: 1_000)) == .zero)
        #expect(frame.age(at: HostTime(nanoseconds: 999)) == .zero)
        #expect(frame.age(at: HostTime(nanoseconds: .max)) == .nanoseconds(Int64.max))
        #expect(frame.age() > .zero)
    }
}
