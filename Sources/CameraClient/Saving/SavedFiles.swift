import Foundation
import Synchronization

/// The files of a run, of which only the newest stay.
final class SavedFiles: Sendable {
    private let limit: Int?
    private let paths = Mutex<[String]>([])

    /// Keeps `limit` files; `nil`: all of them.
    init(limit: Int?) {
        self.limit = limit
    }

    /// A file was written: the oldest goes if they are too many.
    func add(_ path: String) {
        guard let limit else { return }
        let surplus = paths.withLock { paths -> [String] in
            paths.append(path)
            guard paths.count > limit else { return [] }
            defer { paths.removeFirst(paths.count - limit) }
            return Array(paths.prefix(paths.count - limit))
        }
        for path in surplus { unlink(path) }
    }
}
