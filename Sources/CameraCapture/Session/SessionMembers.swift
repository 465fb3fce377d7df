import Synchronization

/// Which session has which inputs and outputs, so that each is added to one of them only. May be used from any thread.
enum SessionMembers {
    /// The session of each member; neither can go away while it is listed.
    private static let owners = Mutex<[ObjectIdentifier: ObjectIdentifier]>([:])

    /// Whether no session other than `session` has an input or output.
    static func isFree(_ member: AnyObject, for session: CaptureSession) -> Bool {
        let owner = owners.withLock { $0[ObjectIdentifier(member)] }
        return owner == nil || owner == ObjectIdentifier(session)
    }

    /// A session's configuration becomes another one.
    static func update(_ session: CaptureSession, from old: SessionConfiguration, to new: SessionConfiguration) {
        owners.withLock { owners in
            for member in old.members { owners[member] = nil }
            for member in new.members { owners[member] = ObjectIdentifier(session) }
        }
    }
}

extension SessionConfiguration {
    /// Its input and its outputs.
    fileprivate var members: [ObjectIdentifier] {
        (source.map { [ObjectIdentifier($0.input)] } ?? []) + outputs.map { ObjectIdentifier($0) }
    }
}
