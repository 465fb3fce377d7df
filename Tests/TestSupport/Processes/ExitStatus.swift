/// How a process ended.
package enum ExitStatus: Sendable, Hashable {
    /// It ended by itself, with this code.
    case exited(Int32)
    /// This signal ended it.
    case signalled(Int32)

    /// Reads what `waitpid` gives for a process that has ended.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
    }
}
