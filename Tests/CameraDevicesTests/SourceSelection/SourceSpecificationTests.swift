import CameraCapture
import CameraMedia
import CameraProtocol
import Foundation
import TestSupport
import Testing

@testable import CameraDevices

@Suite("A source specification")
struct SourceSpecificationTests {
    @Test(
        "reads what --source takes",
        arguments: [
            ("auto", nil, .automatic), ("-", nil, .standardInput),
            ("test", nil, .testPattern(size: nil, frameRate: nil)),
            ("test:640x480", nil, .testPattern(size: PixelSize(width: 640, height: 480), frameRate: nil)),
            (
                "test:7x5@29.97", nil,
                .testPattern(size: PixelSize(width: 7, height: 5), frameRate: FrameRate(30000, 1001))
            ),
            ("/dev/video0", nil, .path("/dev/video0")),
            ("/dev/v4l/by-id/usb-x=1", nil, .path("/dev/v4l/by-id/usb-x=1")),
            ("front=/dev/video2", "front", .path("/dev/video2")), ("a-b_9=-", "a-b_9", .standardInput),
            ("clip.y4m", nil, .path("clip.y4m")), ("cam=./test", "cam", .path("./test")),
            ("./a=b.y4m", nil, .path("./a=b.y4m")), ("my file=x", nil, .path("my file=x")),
        ] as [(String, String?, SourceSpecification.Kind)])
    func parsing(text: String, name: String?, kind: SourceSpecification.Kind) throws {
        #expect(try SourceSpecification(parsing: text) == SourceSpecification(name: name, kind: kind))
    }

    @Test(
        "refuses what makes no sense, and says what",
        arguments: [
            "", "name=", "test:", "test:640", "test:0x5", "test:640x480@", "test:640x480@0", "test:640x480@30@30",
            "test:65535x65535", "cam://host",
        ])
    func refusal(text: String) {
        #expect {
            try SourceSpecification(parsing: text)
        } throws: { error in
            (error as? SourceSpecificationError)?.source == text
        }
    }

    @Test("tells files, folders and what is missing apart")
    func inputs() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write([], to: "clip")
        #expect(try SourceSpecification(kind: .path(file)).makeInput() is Y4MInput)
        #expect(try SourceSpecification(kind: .path(folder.path)).makeInput() is ImageFolderInput)
        #expect(try SourceSpecification(kind: .path("/dev/null")).makeInput() is V4L2Input)
        for path in [folder.path + "/none", "/dev/video-none"] {
            let error = #expect(throws: CaptureInputError.self) {
                try SourceSpecification(kind: .path(path)).makeInput()
            }
            #expect(error?.code == .notFound)
            #expect(error?.reason.hasPrefix("no such") == true)
        }
    }

    @Test("takes a file or pipe below /dev for what it is")
    func belowDev() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Array("YUV4MPEG2 W2 H2 F500:1 Cmono\nFRAME\nabcd".utf8), to: "clip")
        let descriptor = FileDescriptor(open(file, O_RDONLY))
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        try #require(bytes.withUnsafeBytes { write(writer.number, $0.baseAddress, $0.count) } == bytes.count)
        for number in [descriptor.number, reader.number] {
            let session = CaptureSession()
            let output = RecordingOutput(demand: CaptureDemand(arrivals: 1, orderedCount: 1))
            session.addInput(try SourceSpecification(parsing: "/dev/fd/\(number)").makeInput())
            session.addOutput(output)
            try session.start()
            #expect(output.waitForSamples(1).first?.imageBuffer?.packedBytes() == Array("abcd".utf8))
            session.stopRunning()
        }
    }
}
