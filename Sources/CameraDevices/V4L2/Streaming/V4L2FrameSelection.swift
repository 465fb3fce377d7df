/// Which of the frames that wait at a driver are handed on.
enum V4L2FrameSelection {
    /// The most that are handed on one after the other when nobody wants all.
    static let backlog = 2

    /// How many of the oldest are left out.
    ///
    /// - Parameters:
    ///   - waiting: Good frames that wait.
    ///   - wantsAll: Whether a consumer wants every frame.
    /// - Returns: 0, or all but the newest.
    static func outdatedCount(waiting: Int, wantsAll: Bool) -> Int {
        waiting > backlog && !wantsAll ? waiting - 1 : 0
    }
}
