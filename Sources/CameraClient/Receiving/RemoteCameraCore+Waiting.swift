import CameraMedia
import CameraProtocol
import CameraTransport
import Synchronization

// What consumers wait for. Each wait ends with an answer, its time limit, the camera's end or its task's cancellation,
// whichever comes first.
extension RemoteCameraCore {
    /// Waits for an answer.
    ///
    /// - Parameter cancel: Takes the wish back; called when the task is cancelled.
    private nonisolated func value<Value: Sendable>(
        of reply: PendingReply<Value>, cancel: @escaping @Sendable (isolated RemoteCameraCore) -> Void
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                reply.whenAnswered { continuation.resume(with: $0) }
            }
        } onCancel: {
            post(cancel)
        }
    }

    /// Answers somebody, who then waits no longer.
    func answer<Value: Sendable>(_ waiter: Waiter<Value>, with result: Result<Value, any Error>) {
        if let limit = waiter.limit { loop.cancel(limit) }
        waiter.reply.resume(with: result)
    }

    private func waiter<Value: Sendable>(
        _ reply: PendingReply<Value>, timeout: Duration?,
        _ timedOut: @escaping @Sendable (isolated RemoteCameraCore) -> Void
    ) -> Waiter<Value> {
        Waiter(
            reply: reply,
            limit: timeout.map { schedule(at: HostTime.now().advanced(by: $0.wholeNanoseconds), timedOut) },
            isPoll: false)
    }

    private var timeOutError: RemoteCameraError {
        if case .reconnecting(_, let cause) = states.current {
            return RemoteCameraError(.timedOut, subject: cause.subject, reason: cause.reason)
        }
        return RemoteCameraError(.timedOut, subject: "\(endpoint)", reason: "no answer in the time given")
    }

    // MARK: - Frames

    /// Waits for a frame.
    ///
    /// - Parameter time: Frames that were not certainly taken after this will not do; `nil`: any will.
    nonisolated func next(after time: HostTime? = nil, timeout: Duration?) async throws -> SampleBuffer {
        let reply = PendingReply<SampleBuffer?>()
        post { $0.ask(reply, after: time, timeout: timeout) }
        let sample = try await value(of: reply) { $0.withdraw(reply, with: .failure(CancellationError())) }
        guard let sample else { throw CancellationError() }
        return sample
    }

    /// Takes the frame that is here; does not wait for one to come.
    nonisolated func latest() async throws -> SampleBuffer? {
        let reply = PendingReply<SampleBuffer?>()
        post { $0.poll(reply) }
        return try await value(of: reply) { $0.withdraw(reply, with: .failure(CancellationError())) }
    }

    /// Asks for a frame; `receiver` is called on the loop's thread.
    nonisolated func next(_ receiver: @escaping @Sendable (Result<SampleBuffer?, any Error>) -> Void) {
        let reply = PendingReply<SampleBuffer?>()
        reply.whenAnswered(receiver)
        post { $0.ask(reply, after: nil, timeout: nil) }
    }

    private func ask(_ reply: PendingReply<SampleBuffer?>, after time: HostTime?, timeout: Duration?) {
        waiters.append(
            waiter(reply, timeout: timeout) { $0.withdraw(reply, with: .failure($0.timeOutError)) })
        flow.asked(after: time, at: .now())
        perform()
    }

    private func poll(_ reply: PendingReply<SampleBuffer?>) {
        waiters.append(Waiter(reply: reply, limit: nil, isPoll: true))
        flow.asked(isPoll: true, at: .now())
        perform()
    }

    private func withdraw(_ reply: PendingReply<SampleBuffer?>, with result: Result<SampleBuffer?, any Error>) {
        guard let index = waiters.firstIndex(where: { $0.reply === reply }) else { return }
        let waiter = waiters.remove(at: index)
        flow.askWithdrawn(index, at: .now())
        answer(waiter, with: result)
        perform()
    }

    /// Answers those who wait for frames while none is left: all at the end, those who only looked in at any time.
    func answerThoseInVain() {
        for index in waiters.indices.reversed() where end != nil || waiters[index].isPoll {
            let waiter = waiters.remove(at: index)
            flow.askWithdrawn(index, at: .now())
            answer(waiter, with: end.map { .failure($0) } ?? .success(nil))
        }
    }

    // MARK: - The first attempt

    /// Waits until the server granted the stream, or the first attempt failed; throws if that was the end.
    ///
    /// - Parameter limit: Afterwards the camera goes on by itself if it reconnects, and is too late otherwise.
    nonisolated func firstOutcome(within limit: Duration) async throws {
        let reply = PendingReply<Void>()
        post { $0.awaitOutcome(reply, within: limit) }
        try await value(of: reply) { $0.settle(reply, with: .failure(CancellationError())) }
    }

    /// The same for a thread that may block; must not be called on the loop's thread.
    nonisolated func blockUntilFirstOutcome(within limit: Duration) throws {
        let reply = PendingReply<Void>()
        post { $0.awaitOutcome(reply, within: limit) }
        try reply.wait().get()
    }

    private func awaitOutcome(_ reply: PendingReply<Void>, within limit: Duration) {
        if let end { return reply.resume(with: .failure(end)) }
        guard states.current == .connecting else { return reply.resume(with: .success(())) }
        outcomeWaiters.append(
            waiter(reply, timeout: limit) { core in
                core.settle(reply, with: core.options.reconnects ? .success(()) : .failure(core.timeOutError))
            })
    }

    private func settle(_ reply: PendingReply<Void>, with result: Result<Void, any Error>) {
        guard let index = outcomeWaiters.firstIndex(where: { $0.reply === reply }) else { return }
        answer(outcomeWaiters.remove(at: index), with: result)
    }

    // MARK: - Changes of the stream

    /// Changes what is asked of the server and waits for what it makes of it.
    nonisolated func update(
        timeout: Duration?, _ change: (inout StreamRequest) -> Void
    ) async throws -> Subscribed {
        let reply = PendingReply<Subscribed>()
        wanted.withLock { request in
            let delivery = request.delivery
            change(&request)
            request.delivery = delivery
            // Inside the lock, so that the server gets changes in their order.
            let changed = request
            post { $0.update(changed, reply, timeout: timeout) }
        }
        return try await value(of: reply) { $0.withdraw(reply, because: CancellationError()) }
    }

    private func update(_ request: StreamRequest, _ reply: PendingReply<Subscribed>, timeout: Duration?) {
        if let end { return reply.resume(with: .failure(end)) }
        streamRequest = request
        let grantsAhead = unanswered.count
        // Otherwise the subscription to come carries it.
        if isGreeted {
            channel?.send(.update(request), stream: Self.stream)
            unanswered.append(request)
        }
        updateWaiters.append(
            UpdateWaiter(
                waiter: waiter(reply, timeout: timeout) { $0.withdraw(reply, because: $0.timeOutError) },
                grantsAhead: grantsAhead))
    }

    private func withdraw(_ reply: PendingReply<Subscribed>, because error: any Error) {
        guard let index = updateWaiters.firstIndex(where: { $0.waiter.reply === reply }) else { return }
        answer(updateWaiters.remove(at: index).waiter, with: .failure(error))
    }
}
