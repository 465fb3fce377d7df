public import CameraCapture

extension CaptureDevice {
    /// The test pattern, which every machine has: a moving picture with the frame number and its time painted in it.
    ///
    ///     let device = CaptureDevice.default(for: .video) ?? .testPattern
    public static let testPattern = CaptureDevice(
        uniqueID: "test", localizedName: "Test pattern", deviceType: .testPattern, devicePath: nil,
        capabilities: [TestPatternInput.capability])

    /// The first camera of this machine: the first that delivers a format that can be captured, or else the first that
    /// cannot be opened, so that ``CaptureDeviceInput/init(device:)`` can tell why.
    ///
    /// Is never the test pattern: whoever wants a picture without a camera says `?? .testPattern`.
    /// - Returns: `nil` if there is none.
    public static func `default`(for mediaType: MediaType) -> CaptureDevice? {
        let devices = DeviceRegistry.shared.discover().devices
        return devices.first { !$0.formats.isEmpty } ?? devices.first
    }

    /// The device of this machine with an identifier, the test pattern's included.
    ///
    /// - Returns: `nil` if it is not there.
    public static func device(uniqueID: String) -> CaptureDevice? {
        if uniqueID == testPattern.uniqueID { return testPattern }
        return DeviceRegistry.shared.discover().devices.first { $0.uniqueID == uniqueID }
    }

    /// The camera with a device node.
    ///
    /// - Parameter path: `/dev/video0`, or a link to such a node.
    /// - Throws: ``CaptureInputError`` if it cannot be opened or does not capture video.
    public static func device(atPath path: String) throws(CaptureInputError) -> CaptureDevice {
        try DeviceRegistry.shared.device(atPath: path)
    }

    /// The cameras of this machine that can be opened, by number, and why others cannot be.
    package static func discover() -> (devices: [CaptureDevice], failures: [CaptureInputError]) {
        let discovery = DeviceRegistry.shared.discover()
        return (discovery.openDevices, discovery.failures)
    }

    /// The first camera of this machine that can be used.
    ///
    /// - Returns: `nil` if there is none.
    /// - Throws: ``CaptureInputError`` if there is one, but none can be opened.
    package static func firstCamera() throws(CaptureInputError) -> CaptureDevice? {
        let (devices, failures) = discover()
        if let failure = failures.first, devices.isEmpty { throw failure }
        return devices.first { !$0.formats.isEmpty }
    }

    /// Finds devices by what they are.
    ///
    ///     let discovery = CaptureDevice.DiscoverySession(mediaType: .video, position: .unspecified)
    ///     for device in discovery.devices { print(device.localizedName) }
    public struct DiscoverySession: Sendable {
        /// The kinds that are looked for, in the order in which they are listed.
        public let deviceTypes: [DeviceType]
        /// What they have to deliver; `nil`: anything.
        public let mediaType: MediaType?
        /// Where they have to be; ``CaptureDevice/Position/unspecified``: anywhere.
        public let position: Position

        /// Says what to look for.
        ///
        /// - Parameters:
        ///   - deviceTypes: The kinds; by default cameras alone. The test pattern is listed if it is asked for.
        ///   - mediaType: What they have to deliver; `nil`: anything.
        ///   - position: Where they have to be; ``CaptureDevice/Position/unspecified``: anywhere.
        public init(
            deviceTypes: [DeviceType] = [.camera], mediaType: MediaType? = .video, position: Position = .unspecified
        ) {
            self.deviceTypes = deviceTypes
            self.mediaType = mediaType
            self.position = position
        }

        /// The devices that are there at the moment, cameras by number; those that cannot be opened are among them.
        ///
        /// Opens every camera for a moment, which may take some hundredths of a second each.
        public var devices: [CaptureDevice] {
            let found = deviceTypes.flatMap { type in
                switch type {
                case .camera: DeviceRegistry.shared.discover().devices
                case .testPattern: [testPattern]
                }
            }
            return found.filter { position == .unspecified || $0.position == position }
        }
    }
}
