/// Whole numbers as values of options.
enum WholeNumber {
    /// - Parameter example: the option with a value, for the message about another one.
    static func parse(_ text: String, in range: ClosedRange<Int> = 1 ... .max, example: String) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            let kind =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw BadValue(description: "write a whole number \(kind), as in \(example)")
        }
        return number
    }
}
