extension String {
    /// The text in lines of at most `width` characters, each behind `indentation` spaces.
    ///
    /// A word that is longer than a line gets one of its own; line breaks in the text stay.
    func wrapped(to width: Int, indentation: Int = 0) -> String {
        let margin = String(repeating: " ", count: indentation)
        let available = max(1, width - indentation)
        var lines: [String] = []
        for paragraph in split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                if line.isEmpty {
                    line = String(word)
                } else if line.count + 1 + word.count <= available {
                    line += " \(word)"
                } else {
                    lines.append(line)
                    line = String(word)
                }
            }
            lines.append(line)
        }
        return lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
    }
}
