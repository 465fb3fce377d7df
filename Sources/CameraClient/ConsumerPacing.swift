/// How a camera's frames are asked for in `latest` delivery.
public enum ConsumerPacing: Sendable, Hashable {
    /// Streaming or on demand, as the consumer's speed wants it.
    case automatic
    /// Frames keep coming, the mailbox keeps the newest: the least delay, for consumers that keep up.
    case streaming
    /// A frame is asked for when the consumer wants one: the least work, for consumers that do not.
    case onDemand
}
