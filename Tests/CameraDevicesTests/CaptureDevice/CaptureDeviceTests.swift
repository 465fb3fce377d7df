import CameraCapture
import CameraMedia
import CameraProtocol
import TestSupport
import Testing

@testable import CameraDevices

@Suite("A capture device")
struct CaptureDeviceTests {
    /// Of its own, so that tests do not set each other's up.
    let device = CaptureDevice(
        uniqueID: "test", localizedName: "Pattern", deviceType: .testPattern, devicePath: nil,
        capabilities: [TestPatternInput.capability])
    let session = CaptureSession()
    let output = RecordingOutput(keepsSamples: false)

    private func format(_ width: UInt32, _ height: UInt32) throws -> CaptureDevice.Format {
        try #require(device.formats.first { $0.size == PixelSize(width: width, height: height) })
    }

    private func configure(_ body: () throws -> Void) throws {
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        try body()
    }

    private func start(_ preset: SessionPreset) throws {
        session.sessionPreset = preset
        session.addInput(try CaptureDeviceInput(device: device))
        session.addOutput(output)
        try session.start()
    }

    @Test("delivers what its session's preset asks for")
    func preset() throws {
        try start(.vga640x480)
        #expect(output.formats.last?.size == PixelSize(width: 640, height: 480))
        #expect(device.activeFormat == (try format(640, 480)))
        session.sessionPreset = .medium
        #expect(output.formats.last?.size == PixelSize(width: 640, height: 360))
        #expect(session.canSetSessionPreset(.hd4K3840x2160))
        session.stopRunning()
    }

    @Test("delivers its active format, which takes priority over the preset, until a preset is set")
    func activeFormat() throws {
        try start(.low)
        try configure { try device.setActiveFormat(try format(352, 288)) }
        #expect(session.sessionPreset == .inputPriority)
        #expect(output.formats.last?.size == PixelSize(width: 352, height: 288))
        session.stopRunning()
        try session.start()
        #expect(output.formats.last?.size == PixelSize(width: 352, height: 288))
        session.sessionPreset = .low
        #expect(output.formats.last?.size == PixelSize(width: 320, height: 180))
        #expect(device.activeFormat?.size != PixelSize(width: 352, height: 288))
    }

    @Test("gives a session that it is added to the priority of a format chosen before")
    func formatFirst() throws {
        try configure { try device.setActiveFormat(try format(352, 288)) }
        let input = try CaptureDeviceInput(device: device)
        session.addInput(input)
        #expect(session.sessionPreset == .inputPriority)
        session.removeInput(input)
        session.sessionPreset = .medium
        session.addInput(input)
        #expect(session.sessionPreset == .medium)
    }

    @Test("captures within its frame durations, from the unlocking on, starting again once")
    func durations() throws {
        try start(.low)
        #expect(output.formats.map(\.frameRate) == [FrameRate(30)])
        #expect(device.activeVideoMinFrameDuration == FrameDuration(1, 30))
        try configure {
            try device.setActiveVideoMaxFrameDuration(FrameDuration(1, 5))
            try device.setActiveVideoMinFrameDuration(FrameDuration(1, 15))
            #expect(output.formats.count == 1)
        }
        #expect(output.formats.map(\.frameRate) == [FrameRate(30), FrameRate(15)])
        #expect(device.activeVideoMinFrameDuration == FrameDuration(1, 15))
        try configure { try device.setActiveVideoMinFrameDuration(nil) }
        #expect(output.formats.last?.frameRate == FrameRate(30))
    }

    @Test("refuses durations out of range and formats of others, and changes without a lock")
    func refusals() throws {
        func code(_ body: () throws -> Void) -> CaptureInputError.Code? {
            #expect(throws: CaptureInputError.self) { try body() }?.code
        }
        #expect(code { try device.setActiveVideoMinFrameDuration(FrameDuration(1, 15)) } == .notLocked)
        let foreign = CaptureDevice.Format(
            fourCC: FourCC(rawValue: 1), localizedName: "", size: PixelSize(width: 1, height: 1), codec: .raw,
            pixelFormat: .gray8, videoSupportedFrameRateRanges: [])
        try configure {
            #expect(code { try device.setActiveFormat(foreign) } == .unsupportedFormat)
            #expect(
                code { try device.setActiveVideoMinFrameDuration(FrameDuration(1, 2000)) } == .unsupportedFormat)
            #expect(code { try device.setActiveVideoMaxFrameDuration(FrameDuration(2000, 1)) } == .unsupportedFormat)
            try device.setActiveVideoMinFrameDuration(FrameDuration(1, 10))
            #expect(code { try device.setActiveVideoMaxFrameDuration(FrameDuration(1, 20)) } == .unsupportedFormat)
        }
        #expect(device.activeVideoMinFrameDuration == FrameDuration(1, 10))
    }

    @Test("keeps to what a driver with single rates has, below the cap")
    func singleRates() {
        let rates = [30, 20, 10].compactMap { FrameRate($0) }
        let format = CaptureDevice.Format.formats(
            V4L2Capability(
                fourCC: FourCC(parsing: "YUYV") ?? FourCC(rawValue: 0), description: "",
                sizes: [.init(size: SizeRange(PixelSize(width: 4, height: 4)), rates: .discrete(rates))]))[0]
        #expect(format.videoSupportedFrameRateRanges.map(\.maxFrameRate) == rates)
        #expect(FrameRate(15).map(format.highestRate) == FrameRate(10))
        #expect(FrameRate(5).map(format.highestRate) == FrameRate(10))
        #expect(FrameRate(60).map(format.highestRate) == FrameRate(30))
        #expect(FrameRate(30000, 1001).map(format.supports) == true)
        #expect(FrameRate(31).map(format.supports) == false)
    }

    @Test("reaches a preset's size or does not")
    func presets() throws {
        let small = CaptureDevice(
            uniqueID: "small", localizedName: "Small", devicePath: "/dev/null",
            capabilities: [
                V4L2Capability(
                    fourCC: try #require(FourCC(parsing: "YUYV")), description: "YUYV",
                    sizes: [.init(size: SizeRange(PixelSize(width: 640, height: 480)), rates: .unknown)])
            ])
        #expect(small.supportsSessionPreset(.vga640x480))
        #expect(!small.supportsSessionPreset(.hd1280x720))
        #expect(small.supportsSessionPreset(.high))
        #expect(small.formats.map(\.pixelFormat) == [.yuyv])
    }

    @Test("cannot be captured from when it is gone or no camera; the input says which")
    func inputErrors() {
        func code(_ path: String) -> CaptureInputError.Code? {
            #expect(throws: CaptureInputError.self) {
                try CaptureDeviceInput(device: CaptureDevice(uniqueID: path, localizedName: path, devicePath: path))
            }?.code
        }
        #expect(code("/dev/video-none") == .notFound)
        #expect(code("/dev/null") == .notACaptureDevice)
        let gone = CaptureDevice(uniqueID: "gone", localizedName: "Gone", devicePath: "/dev/video-none")
        #expect(throws: CaptureInputError.self) { try gone.lockForConfiguration() }
    }

    @Test("names its samples' source")
    func sourceName() throws {
        let keeper = RecordingOutput()
        session.addOutput(keeper)
        try start(.low)
        #expect(keeper.waitForSamples(1).first?.sourceName == "Pattern")
        session.stopRunning()
    }
}
