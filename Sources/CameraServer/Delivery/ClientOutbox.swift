/// How much is on its way to a client: where a slow one is noticed.
///
/// What its connection has not taken by itself is not added to: a client that does not read costs a few frames, however
/// much credit it gives and however many streams it has.
struct ClientOutbox: Sendable {
    /// Frames that wait for the connection to take them.
    var waiting = 0
    /// Frames that wait for an encoder, or are with one.
    var underWay = 0
    /// The client's streams of the camera.
    var streamCount = 0

    /// Whether another frame may set out.
    func hasRoom(capacity: Int) -> Bool { waiting + underWay < capacity }
}
