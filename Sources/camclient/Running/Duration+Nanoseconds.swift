extension Duration {
    /// The duration in nanoseconds, for durations that the command line accepts: none negative or over a year.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(clamping: seconds) * 1_000_000_000 + UInt64(clamping: attoseconds / 1_000_000_000)
    }
}
