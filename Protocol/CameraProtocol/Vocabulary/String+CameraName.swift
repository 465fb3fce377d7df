extension String {
    /// Whether a camera may have this name: letters of the English alphabet, digits, `-` and `_`, at least one and at most
    /// ``Limits/nameByteCount``.
    package var isCameraName: Bool {
        !isEmpty && utf8.count <= Limits.nameByteCount
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
