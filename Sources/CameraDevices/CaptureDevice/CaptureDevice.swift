public import CameraCapture
public import CameraProtocol

/// A camera of this machine, or the built-in test pattern: what it is called and what it can do.
public struct CaptureDevice: Sendable, Hashable {
    /// A pixel format with the sizes and rates it comes in.
    public struct Format: Sendable, Hashable {
        /// A size, or all sizes in steps between two, with its rates.
        public struct Size: Sendable, Hashable {
            /// The smallest size.
            public var minimum: PixelSize
            /// The largest size; the smallest one again if there is only one.
            public var maximum: PixelSize
            /// From one size to the next.
            public var step: PixelSize
            /// The rates, highest first; if `isRateRange`, the highest and the lowest of a range. Empty if the driver
            /// does not say.
            public var frameRates: [FrameRate]
            /// Whether any rate between those of `frameRates` is possible.
            public var isRateRange: Bool
        }

        /// The driver's four-character code.
        public var fourCC: FourCC
        /// What the driver calls it.
        public var description: String
        /// Whether frames of it can be captured.
        public var isSupported: Bool
        /// The sizes, in the driver's order.
        public var sizes: [Size]
    }

    /// Names the device as stably as is known: a link in `/dev/v4l/by-id` or `by-path`, else its bus.
    public var uniqueID: String
    /// What a person calls it.
    public var localizedName: String
    /// What `--source` takes: the device node, or `test`.
    public var path: String
    /// The kernel driver; empty for the test pattern.
    public var driver: String
    /// Where it is plugged in; empty for the test pattern.
    public var bus: String
    /// What it can deliver, in the driver's order.
    public var formats: [Format]
}

extension CaptureDevice {
    /// The test pattern, which every machine has.
    public static let testPattern = CaptureDevice(
        uniqueID: "test", localizedName: "Test pattern", path: "test", driver: "", bus: "",
        formats: [
            Format(
                fourCC: FourCC(rawValue: 0x3231_5559), description: "Planar YUV 4:2:0", isSupported: true,
                sizes: [
                    .init(
                        minimum: PixelSize(width: 1, height: 1), maximum: PixelSize(width: 8192, height: 8192),
                        step: PixelSize(width: 1, height: 1),
                        frameRates: [FrameRate(1000), FrameRate(1, 1000)].compactMap { $0 }, isRateRange: true)
                ])
        ])

    /// Looks at a device node.
    ///
    /// - Throws: ``CaptureInputError`` if it cannot be opened or does not capture video.
    public init(path: String) throws(CaptureInputError) {
        let device = try V4L2Device(path: path)
        self.init(
            uniqueID: DeviceNodes.stableLink(to: path) ?? device.identity.bus, localizedName: device.identity.card,
            path: path, driver: device.identity.driver, bus: device.identity.bus,
            formats: device.capabilities().map(Format.init))
    }

    /// The cameras of this machine, by number.
    ///
    /// Needs no udev. Nodes that do not capture are left out.
    /// - Returns: The devices, and why others cannot be opened.
    public static func discover() -> (devices: [CaptureDevice], failures: [CaptureInputError]) {
        var (devices, failures) = ([CaptureDevice](), [CaptureInputError]())
        for path in DeviceNodes.paths() {
            do throws(CaptureInputError) {
                devices.append(try CaptureDevice(path: path))
            } catch {
                if error.code != .notACaptureDevice && error.code != .notFound { failures.append(error) }
            }
        }
        return (devices, failures)
    }

    /// The first camera of this machine.
    ///
    /// - Returns: `nil` if there is none.
    /// - Throws: ``CaptureInputError`` if there is one, but none can be opened.
    public static func firstCamera() throws(CaptureInputError) -> CaptureDevice? {
        let (devices, failures) = discover()
        if let failure = failures.first, devices.isEmpty { throw failure }
        return devices.first { device in device.formats.contains { $0.isSupported } }
    }
}

extension CaptureDevice.Format {
    init(_ capability: V4L2Capability) {
        self.init(
            fourCC: capability.fourCC, description: capability.description,
            isSupported: V4L2Encoding(capability.fourCC) != nil, sizes: capability.sizes.map(Size.init))
    }
}

extension CaptureDevice.Format.Size {
    init(_ option: V4L2Capability.SizeOption) {
        let (rates, isRange): ([FrameRate], Bool) =
            switch option.rates {
            case .unknown: ([], false)
            case .discrete(let rates): (rates.sorted(by: >), false)
            case .range(let low, let high): ([high, low], true)
            }
        self.init(
            minimum: option.size.minimum, maximum: option.size.maximum, step: option.size.step, frameRates: rates,
            isRateRange: isRange)
    }
}
