import CameraImaging
import Foundation

/// Why a frame could not be saved.
package struct FrameSavingError: Error, Sendable, Hashable {
    /// What happened.
    package enum Kind: Sendable, Hashable {
        /// A file or the directory cannot be created.
        case cannotCreate
        /// Writing failed, for instance because the disk is full.
        case cannotWrite
        /// The frame's image is damaged.
        case undecodable
        /// The format cannot carry the frame.
        case cannotConvert
    }

    /// What happened.
    package var kind: Kind
    /// The file or directory; empty if the frame is at fault.
    package var path: String
    /// What happened, for a person.
    package var reason: String

    init(_ error: ImagingError) {
        switch error {
        case .cannotCreate(let path, let code) where [ENOSPC, EDQUOT, EIO].contains(code),
            .cannotWrite(let path, let code):
            self.init(kind: .cannotWrite, path: path, code: code)
        case .cannotCreate(let path, let code): self.init(kind: .cannotCreate, path: path, code: code)
        case .truncated, .corrupt, .sizeMismatch: self.init(kind: .undecodable, path: "", reason: "\(error)")
        default:
            self.init(kind: .cannotConvert, path: "", reason: "\(error)")
        }
    }

    private init(kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    private init(kind: Kind, path: String, code: Int32) {
        self.init(kind: kind, path: path, reason: String(cString: strerror(code)))
    }
}

extension FrameSavingError: CustomStringConvertible {
    /// `frames: Permission denied`.
    package var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
