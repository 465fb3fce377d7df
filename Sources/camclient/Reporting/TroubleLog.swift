import CameraClient

/// Decides what to say of a connection's ups and downs: each cause once, then a count.
struct TroubleLog: Sendable {
    private var lastTrouble: RemoteCameraError?
    private var attemptCount = 0
    private var interruption: CameraStatus?

    /// What to say of a new state; `nil` if nothing.
    mutating func line(for state: RemoteCameraState, server: Endpoint) -> String? {
        switch state {
        case .connecting, .ended: return nil
        case .reconnecting(_, let trouble):
            attemptCount += 1
            guard trouble != lastTrouble else { return nil }
            lastTrouble = trouble
            return "\(trouble.subject): \(trouble.reason); trying again until it works"
        case .interrupted(let status):
            guard status.state == .interrupted, status.reason != interruption?.reason else { return nil }
            interruption = status
            let text = status.text.isEmpty ? status.reason.name : status.text
            return "\(status.camera): \(text); waiting for it to come back"
        case .streaming(let grant):
            defer {
                lastTrouble = nil
                attemptCount = 0
                interruption = nil
            }
            if lastTrouble != nil {
                return "\(server): connected after \(attemptCount) \(attemptCount == 1 ? "attempt" : "attempts")"
            }
            return interruption.map { _ in "\(grant.camera): it is back" }
        }
    }
}
