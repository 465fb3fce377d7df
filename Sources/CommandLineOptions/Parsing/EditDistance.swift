extension String {
    /// The least number of characters inserted, removed or replaced that turns this text into `other`.
    func editDistance(to other: String) -> Int {
        let columns = Array(other)
        var previous = Array(0...columns.count)
        for (row, character) in enumerated() {
            var current = [row + 1]
            for (column, candidate) in columns.enumerated() {
                let replacement = previous[column] + (character == candidate ? 0 : 1)
                current.append(Swift.min(replacement, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[columns.count]
    }
}
