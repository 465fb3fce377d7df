/// How much a line of the log matters.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Something does not work.
    case error = 0
    /// What an operator wants to know: clients that come and go, cameras that fail and come back.
    case info = 1
    /// What helps to find a fault.
    case debug = 2

    /// Errors come first.
    public static func < (first: LogLevel, second: LogLevel) -> Bool { first.rawValue < second.rawValue }
}

/// Takes the lines of a server's log; called on the server's thread, must not block for long.
public typealias LogHandler = @Sendable (LogLevel, String) -> Void
