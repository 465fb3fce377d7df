/// The limits that both sides hold before they allocate.
public enum Limits {
    /// The default TCP port.
    public static let defaultPort: UInt16 = 9000
    /// The most bytes in the body of any message but a frame: 64 KiB.
    public static let controlByteCount = 65_536
    /// The most bytes in the body of a frame, whatever hello says: 64 MiB.
    public static let frameByteCount = 67_108_864
    /// The most bytes of a frame's metadata, before its payload.
    public static let frameMetadataByteCount = 1_024
    /// The most pixels of a picture: 64 Mpx.
    public static let pixelCount = 67_108_864
    /// The most bytes of a name: camera, client, server, group, control.
    public static let nameByteCount = 255
    /// The most bytes of a text: an error's, a status', a string control's.
    public static let textByteCount = 1_024
    /// The most codecs of a ``CodecChoice``.
    public static let codecCount = 8
    /// The most entries of a control's menu.
    public static let menuItemCount = 128
    /// The most credit a stream can hold.
    public static let credit: UInt16 = 16
    /// The most streams on a connection.
    public static let streamCount = 64
    /// The most cameras a server lists.
    public static let cameraCount = 64
}
