package import CameraMedia

/// Moments in time, the earliest first: a binary heap.
package struct TimerQueue: Sendable {
    /// Names a moment; never used twice.
    package struct ID: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        let time: HostTime
        let id: ID
    }

    private var heap: [Entry] = []
    private var pending: Set<ID> = []
    private var nextNumber: UInt64 = 0

    /// Creates an empty queue.
    package init() {}

    /// The earliest moment.
    package var next: HostTime? {
        mutating get {
            while let first = heap.first, !pending.contains(first.id) { removeFirst() }
            return heap.first?.time
        }
    }

    /// Adds a moment.
    package mutating func add(at time: HostTime) -> ID {
        let id = ID(number: nextNumber)
        nextNumber += 1
        pending.insert(id)
        heap.append(Entry(time: time, id: id))
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        return id
    }

    /// Forgets a moment; its place in the heap is freed when its time comes, or when forgotten ones are the most.
    package mutating func cancel(_ id: ID) {
        guard pending.remove(id) != nil else { return }
        guard heap.count > 64, heap.count > 2 * pending.count else { return }
        let kept = heap.filter { pending.contains($0.id) }
        // A sorted array is a heap.
        heap = kept.sorted { ($0.time, $0.id.number) < ($1.time, $1.id.number) }
    }

    /// Takes the earliest moment out if it has come.
    package mutating func popDue(at now: HostTime) -> ID? {
        guard let next, next <= now, let first = heap.first else { return nil }
        removeFirst()
        pending.remove(first.id)
        return first.id
    }

    /// Equal times keep the order in which they were added.
    private func isBefore(_ first: Int, _ second: Int) -> Bool {
        (heap[first].time, heap[first].id.number) < (heap[second].time, heap[second].id.number)
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(child, smallest) {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
