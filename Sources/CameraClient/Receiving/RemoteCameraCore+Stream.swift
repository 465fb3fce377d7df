import CameraMedia
import CameraProtocol
import CameraTransport
import Synchronization

// The one stream of the connection: what was asked for and what the server makes of it.
extension RemoteCameraCore {
    /// Opens the stream, with the latest request.
    func subscribe() {
        unanswered = [streamRequest]
        // Whatever was asked before, this is the answer that counts.
        for index in updateWaiters.indices { updateWaiters[index].grantsAhead = 0 }
        let credit = flow.subscribing(at: .now())
        channel?.send(
            .subscribe(Subscribe(camera: camera, request: streamRequest, credit: credit, resume: flow.resumePoint)),
            stream: Self.stream)
        perform()
    }

    /// The server said what it sends: the answer to the oldest request, or because something of it changed.
    func granted(_ grant: Subscribed) {
        var grant = grant
        grant.camera = grant.camera.printable
        self.grant = grant
        if !unanswered.isEmpty { grantedRequest = unanswered.removeFirst() }
        policy.subscribed()
        flow.granted(grant.frameRate)
        if interruption == nil { publish(.streaming(grant)) }
        let answered = updateWaiters.filter { $0.grantsAhead == 0 }
        updateWaiters.removeAll { $0.grantsAhead == 0 }
        for index in updateWaiters.indices { updateWaiters[index].grantsAhead -= 1 }
        for update in answered { answer(update.waiter, with: .success(grant)) }
        perform()
    }

    /// The server closed the stream because it cannot do what was asked.
    func refused(_ failure: Failure) {
        let subject = failure.code == .unknownCamera && !camera.isEmpty ? camera : "\(endpoint)"
        let error = RemoteCameraError(failure.code, text: failure.text, subject: subject)
        // After a change for the worse, what was granted before will do again.
        guard error.code == .refused || error.code == .notPermitted, let granted = grantedRequest,
            granted != streamRequest
        else { return failed(error) }
        streamRequest = granted
        wanted.withLock { $0 = granted }
        failUpdates(error)
        subscribe()
    }

    /// Tells those who changed the request that it came to nothing.
    func failUpdates(_ error: RemoteCameraError) {
        let waiters = updateWaiters
        updateWaiters = []
        for update in waiters { answer(update.waiter, with: .failure(error)) }
    }

    /// What a person calls the camera, as far as the server said.
    var sourceName: String? {
        guard let grant else { return nil }
        return cameras?.first { $0.name == grant.camera }?.localizedName ?? grant.camera
    }
}
