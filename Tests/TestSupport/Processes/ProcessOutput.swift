import Foundation
import Synchronization

/// Everything that a process has written to one of its streams so far; tests can wait for more.
///
/// Safe to use from several threads.
package final class ProcessOutput: Sendable {
    /// Looks at the output; gives what is to be done once the lock is released, or `nil` to go on waiting.
    private typealias Waiter = @Sendable (_ output: State) -> (@Sendable () -> Void)?

    private struct State {
        var bytes: [UInt8] = []
        var hasEnded = false
        var waiters: [Int: Waiter] = [:]
        var waiterCount = 0

        /// Takes out the waiters that have seen what they wait for.
        mutating func satisfiedWaiters() -> [@Sendable () -> Void] {
            waiters.keys.sorted().compactMap { identifier in
                guard let resume = waiters[identifier]?(self) else { return nil }
                waiters.removeValue(forKey: identifier)
                return resume
            }
        }
    }

    private let state = Mutex(State())

    /// Reads `descriptor` on a thread of its own until it ends, then closes it.
    init(reading descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count > 0 {
                    update { $0.bytes += buffer[..<count] }
                } else if count == 0 || errno != EINTR {
                    break
                }
            }
            close(descriptor)
            update { $0.hasEnded = true }
        }
    }

    /// The bytes so far.
    package var bytes: [UInt8] { state.withLock(\.bytes) }

    /// The text so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Waits until the stream has ended and returns all of it.
    package func allBytes(within limit: Duration = .seconds(120)) async throws -> [UInt8] {
        try await value(within: limit, waitingFor: "the end") { $0.hasEnded ? $0.bytes : nil }
    }

    /// Waits for the first line that contains `text`.
    package func line(containing text: String, within limit: Duration = .seconds(120)) async throws -> String {
        try await lines(1, containing: text, within: limit)[0]
    }

    /// Waits until `count` lines contain `text`, and returns the first that do.
    package func lines(
        _ count: Int, containing text: String, within limit: Duration = .seconds(120)
    ) async throws -> [String] {
        try await value(within: limit, waitingFor: "\(count) lines with '\(text)'") { state in
            let end = state.hasEnded ? state.bytes.endIndex : state.bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0
            let found = state.bytes[..<end].split(separator: UInt8(ascii: "\n"))
                .map { String(decoding: $0, as: UTF8.self) }
                .filter { $0.contains(text) }
            return found.count >= count ? Array(found.prefix(count)) : nil
        }
    }

    /// Waits until `extract` gives a value.
    ///
    /// - Throws: ``OutputNotSeen`` if the stream ends, or `limit` passes, before.
    private func value<Value: Sendable>(
        within limit: Duration, waitingFor expectation: String,
        extract: @escaping @Sendable (_ output: State) -> Value?
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let waiter: Waiter = { output in
                if let value = extract(output) { return { continuation.resume(returning: value) } }
                guard output.hasEnded else { return nil }
                let error = OutputNotSeen(expectation: expectation, bytes: output.bytes, why: .ended)
                return { continuation.resume(throwing: error) }
            }
            var identifier = 0
            update { state in
                identifier = state.waiterCount
                state.waiterCount += 1
                state.waiters[identifier] = waiter
            }
            let deadline = DispatchTime.now() + .nanoseconds(Int(limit / .nanoseconds(1)))
            DispatchQueue.global().asyncAfter(deadline: deadline) { [self, identifier] in
                let bytes = state.withLock { $0.waiters.removeValue(forKey: identifier) == nil ? nil : $0.bytes }
                guard let bytes else { return }
                continuation.resume(throwing: OutputNotSeen(expectation: expectation, bytes: bytes, why: .timeLimit))
            }
        }
    }

    /// Changes the state, then resumes everyone who has seen enough.
    private func update(_ change: (inout State) -> Void) {
        let satisfied = state.withLock { state in
            change(&state)
            return state.satisfiedWaiters()
        }
        for resume in satisfied { resume() }
    }
}

/// A process did not write what a test waited for.
package struct OutputNotSeen: Error, CustomStringConvertible {
    /// Why waiting ended.
    package enum Why: Sendable {
        /// The stream ended.
        case ended
        /// The time limit passed.
        case timeLimit
    }

    /// What was waited for.
    package let expectation: String
    /// What was written instead.
    package let bytes: [UInt8]
    /// Why waiting ended.
    package let why: Why

    /// What was waited for, and what came.
    package var description: String {
        let end = why == .ended ? "the output ended" : "the time limit passed"
        return "waited for \(expectation), but \(end) after:\n\(String(decoding: bytes, as: UTF8.self))"
    }
}
