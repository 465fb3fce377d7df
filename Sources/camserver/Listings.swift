import CameraCapture
import CameraDevices
import CameraProtocol
import CommandLineOptions
import Foundation

/// The tables of `--list-devices`, `--list-formats` and `--list-presets`.
enum Listings {
    // MARK: - Devices

    private struct DeviceRow: Encodable {
        let source: String
        let name: String
        let id: String
        let driver: String
        let bus: String
    }

    static func printDevices(asJSON: Bool) {
        let (devices, failures) = CaptureDevice.discover()
        let rows = (devices + [.testPattern]).map { device in
            DeviceRow(
                source: device.path, name: device.localizedName, id: device.uniqueID, driver: device.driver,
                bus: device.bus)
        }
        if asJSON {
            printJSON(rows)
        } else {
            var table = TextTable(["source", "name", "driver", "identity"])
            for row in rows {
                table.append([row.source, row.name, row.driver.isEmpty ? "built in" : row.driver, row.id])
            }
            StandardStream.output.writeLine(table.text)
        }
        for failure in failures { StandardStream.error.writeLine("camserver: \(failure)") }
    }

    // MARK: - Formats

    private struct FormatRow: Encodable {
        let fourcc: String
        let description: String
        let size: String
        let rates: String
        let isSupported: Bool
    }

    static func printFormats(of source: SourceSpecification, asJSON: Bool) throws(RuntimeFailure) {
        let device = try device(for: source)
        let rows = device.capabilities.flatMap { format in
            format.sizes.map { option in
                FormatRow(
                    fourcc: "\(format.fourCC)", description: format.description,
                    size: option.size.isFixed
                        ? "\(option.size.minimum)" : "\(option.size.minimum) to \(option.size.maximum)",
                    rates: rates(option.rates), isSupported: format.isSupported)
            }
        }
        if asJSON { return printJSON(rows) }
        var table = TextTable(["format", "size", "frames a second", "description", "captured"])
        for row in rows {
            table.append([row.fourcc, row.size, row.rates, row.description, row.isSupported ? "yes" : "no"])
        }
        StandardStream.output.writeLine(table.text)
    }

    private static func device(for source: SourceSpecification) throws(RuntimeFailure) -> CaptureDevice {
        do throws(CaptureInputError) {
            switch source.kind {
            case .automatic: return try CaptureDevice.firstCamera() ?? .testPattern
            case .path(let path): return try CaptureDevice.device(atPath: path)
            case .testPattern: return .testPattern
            case .standardInput:
                throw CaptureInputError(
                    .notACaptureDevice, subject: "-", reason: "standard input has the format of its stream",
                    remedy: "--list-formats takes a camera")
            }
        } catch {
            throw RuntimeFailure(error, subject: "source")
        }
    }

    private static func rates(_ options: RateOptions) -> String {
        switch options {
        case .unknown: "not said"
        case .discrete(let rates): rates.sorted(by: >).map(\.description).joined(separator: ", ")
        case .range(let low, let high): "\(low) to \(high)"
        }
    }

    // MARK: - Presets

    private struct PresetRow: Encodable {
        let name: String
        let width: UInt32?
        let height: UInt32?
        let quality: UInt8
    }

    static func printPresets(asJSON: Bool) {
        let rows = SessionPreset.allCases.map { preset in
            PresetRow(
                name: preset.name, width: preset.maximumSize?.width, height: preset.maximumSize?.height,
                quality: preset.quality)
        }
        if asJSON { return printJSON(rows) }
        var table = TextTable(["preset", "size at most", "quality"])
        for preset in SessionPreset.allCases {
            let size =
                switch preset {
                case .photo: "the device's largest"
                case .inputPriority: "the input's own"
                default: preset.maximumSize.map { "\($0)" } ?? ""
                }
            table.append([preset.name, size, "\(preset.quality)"])
        }
        StandardStream.output.writeLine(table.text)
    }

    private static func printJSON(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return }
        StandardStream.output.writeLine(String(decoding: data, as: UTF8.self))
    }
}
