import CameraProtocol
import Foundation
import Testing

/// The page says what the code does.
@Suite("Specification")
struct SpecificationTests {
    private let lines: [String]

    init() throws {
        let page = Vector.root.deletingLastPathComponent().appending(component: "SPECIFICATION.md")
        lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func expectRow(_ cells: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        let row = "| " + cells.joined(separator: " | ") + " |"
        #expect(
            lines.contains { $0 == row || $0.hasPrefix(row + " ") || $0.contains(row) }, "\(row)",
            sourceLocation: sourceLocation)
    }

    @Test("Every message is in the table", arguments: MessageType.allCases)
    func messages(type: MessageType) {
        expectRow("\(type.rawValue)", "\(type)")
    }

    @Test("Every preset is in the table with its size and quality", arguments: SessionPreset.allCases)
    func presets(preset: SessionPreset) {
        let size =
            switch preset {
            case .photo: "the device's largest"
            case .inputPriority: "as captured"
            default: preset.maximumSize?.description ?? ""
            }
        expectRow("\(preset.rawValue)", preset.name, size, "\(preset.quality)")
    }

    @Test("Every name of the vocabulary is in its table")
    func vocabulary() {
        for codec in ImageCodec.allCases { expectRow("\(codec.rawValue)", codec.name) }
        for format in PixelFormat.allCases { expectRow("\(format.rawValue)", format.name) }
        for reason in DropReason.allCases { expectRow("\(reason.rawValue)", reason.name) }
        for state in CameraState.allCases {
            #expect(lines.contains { $0.hasPrefix("| \(state.rawValue) | \(state.name)") }, "\(state)")
        }
        for reason in StateReason.allCases {
            #expect(lines.contains { $0.contains(" | \(reason.rawValue) | \(reason.name)") }, "\(reason)")
        }
    }

    @Test("The minimal session is that of the vectors", arguments: ["client", "server"])
    func session(side: String) throws {
        let vector = try String(
            contentsOf: Vector.root.appending(components: "session", "\(side).hex"), encoding: .utf8)
        let quoted = vector.split(separator: "\n").dropFirst().map { "    " + $0 }
        #expect(lines.joined(separator: "\n").contains(quoted.joined(separator: "\n")))
    }
}
