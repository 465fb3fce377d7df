extension String {
    /// What a peer sent, fit for a log or a terminal: control characters become question marks.
    package var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}
