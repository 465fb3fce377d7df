import Synchronization

/// Joins an input and an output of a session. May be used from any thread.
public final class CaptureConnection: Sendable {
    private struct State {
        var demand = CaptureDemand()
        var isEnabled = true
        var transform = VideoTransform()
    }

    /// Where frames come from; `nil` once the input was removed.
    ///
    /// The port holds its connections, not the other way round.
    public weak let inputPort: CaptureInputPort?
    /// Where frames go.
    public let output: any CaptureOutput
    private let state = Mutex(State())

    init(port: CaptureInputPort, output: any CaptureOutput) {
        inputPort = port
        self.output = output
    }
}

// MARK: - Settings

extension CaptureConnection {
    /// Whether frames are delivered; true unless set.
    ///
    /// A connection that is not enabled wants nothing, so that an input may rest. The first frame after it was enabled
    /// again reports those that went by as ``DropReason/discontinuity``. Formats and states are delivered all the time.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set {
            let port = inputPort
            let changed = state.withLock { state in
                guard state.isEnabled != newValue else { return false }
                state.isEnabled = newValue
                // Entered under the lock, so that two threads that change it leave the same behind here and there.
                port?.enterEnabled(newValue, self)
                return true
            }
            guard changed else { return }
            port?.handOut()
            port?.demandDidChange()
            output.connectionDidChange(self)
        }
    }

    /// Whether the output can turn and mirror pictures: a network stream cannot, its clients get what the camera sees.
    public var isVideoOrientationSupported: Bool { output.supportsVideoTransform }

    /// How pictures are turned; ``VideoOrientation/landscapeRight``, which leaves them as they are, unless set.
    ///
    /// Counts from the next frame on. Has no effect unless ``isVideoOrientationSupported``.
    public var videoOrientation: VideoOrientation {
        get { videoTransform.orientation }
        set { changeTransform { $0.orientation = newValue } }
    }

    /// By how many degrees pictures are turned clockwise; 0 unless set. The same setting as ``videoOrientation``.
    ///
    /// - Precondition: ``isVideoRotationAngleSupported(_:)``, unless the output turns nothing.
    public var videoRotationAngle: Int {
        get { videoOrientation.rotationAngle }
        set {
            guard let orientation = VideoOrientation(rawValue: newValue) else {
                preconditionFailure("pictures can be turned by 0, 90, 180 or 270 degrees, not by \(newValue)")
            }
            videoOrientation = orientation
        }
    }

    /// Whether pictures can be turned by an angle: 0, 90, 180 or 270 degrees, if the output turns at all.
    public func isVideoRotationAngleSupported(_ angle: Int) -> Bool {
        angle == 0 || isVideoOrientationSupported && VideoOrientation(rawValue: angle) != nil
    }

    /// Whether the output can mirror pictures.
    public var isVideoMirroringSupported: Bool { output.supportsVideoTransform }

    /// Whether left and right are exchanged, before pictures are turned; false unless set.
    ///
    /// Counts from the next frame on. Has no effect unless ``isVideoMirroringSupported``.
    public var isVideoMirrored: Bool {
        get { videoTransform.isMirrored }
        set { changeTransform { $0.isMirrored = newValue } }
    }

    /// Orientation and mirroring at once: what the output does to each frame.
    public var videoTransform: VideoTransform { state.withLock { $0.transform } }

    private func changeTransform(_ change: (inout VideoTransform) -> Void) {
        let changed = state.withLock { state in
            let old = state.transform
            change(&state.transform)
            return state.transform != old
        }
        if changed { output.connectionDidChange(self) }
    }
}

// MARK: - Demand

extension CaptureConnection {
    /// What the output wants at the moment.
    public var demand: CaptureDemand { state.withLock { $0.demand } }

    /// Says what the output wants from now on.
    public func setDemand(_ demand: CaptureDemand) {
        let changed = state.withLock { state in
            defer { state.demand = demand }
            return state.demand != demand
        }
        if changed { inputPort?.demandDidChange() }
    }

    /// What the input is told: nothing is wanted unless the connection is enabled.
    var effectiveDemand: CaptureDemand {
        state.withLock { state in
            // Those who came stay counted: a connection enabled again is no new consumer.
            state.isEnabled ? state.demand : CaptureDemand(arrivals: state.demand.arrivals)
        }
    }
}
