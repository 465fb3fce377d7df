/// Why a frame did not reach its receiver; the raw value is the byte on the wire.
public enum DropReason: UInt8, Sendable, Hashable, CaseIterable {
    /// Replaced by a newer frame before anyone took it, or older than the maximum age.
    case lateData = 1
    /// Consumers held all buffers, or the driver had none queued.
    case outOfBuffers = 2
    /// Lost by the camera or its driver.
    case source = 3
    /// Truncated, of the wrong size or not decodable.
    case corrupt = 4
    /// Left out to keep to a frame-rate cap.
    case rateCap = 5
    /// The client had given no credit for it.
    case noCredit = 6
    /// The client had credit, but no encoder was free in time.
    case encoderBusy = 7
    /// Delivered to another member of the group.
    case otherMember = 8
    /// Unknown in detail: around a reconnection, a disabled connection or a change of rendition.
    case discontinuity = 9

    /// The name used in logs and JSON.
    public var name: String {
        switch self {
        case .lateData: "lateData"
        case .outOfBuffers: "outOfBuffers"
        case .source: "source"
        case .corrupt: "corrupt"
        case .rateCap: "rateCap"
        case .noCredit: "noCredit"
        case .encoderBusy: "encoderBusy"
        case .otherMember: "otherMember"
        case .discontinuity: "discontinuity"
        }
    }
}

/// How many frames were dropped, by reason.
///
/// Within an epoch, for two frames that a receiver gets one after the other,
/// `second.sequence - first.sequence - 1 == second.drops.total`.
public struct DropCounts: Sendable, Hashable {
    private var counts = SIMD16<UInt64>()

    /// No drops.
    public init() {}

    /// `count` drops for one reason.
    public init(_ reason: DropReason, _ count: UInt64 = 1) {
        self[reason] = count
    }

    /// The number of frames dropped for `reason`.
    public subscript(reason: DropReason) -> UInt64 {
        get { counts[Int(reason.rawValue)] }
        set { counts[Int(reason.rawValue)] = newValue }
    }

    /// All drops together.
    public var total: UInt64 { counts.wrappedSum() }

    /// Whether nothing was dropped.
    public var isEmpty: Bool { counts == SIMD16() }

    /// The reasons that occurred with their counts, in the order of the wire.
    public var pairs: [(reason: DropReason, count: UInt64)] {
        DropReason.allCases.compactMap { self[$0] == 0 ? nil : ($0, self[$0]) }
    }

    /// Adds the counts of `other`.
    public mutating func add(_ other: DropCounts) {
        counts &+= other.counts
    }

    /// Adds `count` drops for `reason`.
    public mutating func add(_ reason: DropReason, _ count: UInt64 = 1) {
        self[reason] &+= count
    }
}

extension DropCounts: CustomStringConvertible {
    /// For logs: `noCredit 3, rateCap 1`.
    public var description: String {
        pairs.map { "\($0.reason.name) \($0.count)" }.joined(separator: ", ")
    }
}
