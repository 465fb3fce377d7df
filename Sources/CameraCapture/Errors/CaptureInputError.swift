public import CameraProtocol

/// Why an input cannot be opened, or what happened to it.
public struct CaptureInputError: Error, Sendable, Hashable {
    /// What kind of fault it is.
    public struct Code: Sendable, Hashable {
        private enum Value: Hashable {
            case notFound, permissionDenied, busy, notACaptureDevice, unsupportedFormat, invalidData, device
            case outOfResources, notLocked
        }

        private let value: Value

        /// There is no such device, file or folder.
        public static let notFound = Code(value: .notFound)
        /// It may not be opened.
        public static let permissionDenied = Code(value: .permissionDenied)
        /// Another program holds it.
        public static let busy = Code(value: .busy)
        /// It is something else than a camera.
        public static let notACaptureDevice = Code(value: .notACaptureDevice)
        /// It has no format that can be used, or not the one asked for.
        public static let unsupportedFormat = Code(value: .unsupportedFormat)
        /// Its content cannot be read: another kind of file, or cut short.
        public static let invalidData = Code(value: .invalidData)
        /// The device or the file system reported a fault.
        public static let device = Code(value: .device)
        /// The machine is out of memory, descriptors or threads.
        public static let outOfResources = Code(value: .outOfResources)
        /// The device was to be set up without being locked for it.
        public static let notLocked = Code(value: .notLocked)
    }

    /// What kind of fault it is.
    public var code: Code
    /// What it happened to: the device or the file.
    public var subject: String
    /// What happened, without a full stop.
    public var reason: String
    /// What to do about it; `nil` if that is obvious.
    public var remedy: String?

    /// Creates an error.
    public init(_ code: Code, subject: String, reason: String, remedy: String? = nil) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.remedy = remedy
    }

    /// The reason of an interruption by this error.
    public var stateReason: StateReason {
        switch code {
        case .notFound: .disconnected
        case .permissionDenied: .permissionDenied
        case .busy: .inUseByAnotherClient
        case .unsupportedFormat, .notACaptureDevice: .unsupportedFormat
        case .invalidData: .corrupt
        default: .deviceError
        }
    }
}

extension CaptureInputError: CustomStringConvertible {
    /// `SUBJECT: REASON; REMEDY`.
    public var description: String {
        "\(subject): \(reason)" + (remedy.map { "; \($0)" } ?? "")
    }
}
