/// Which of some entries have the same values of some fields. Its memory is used again for the next ones.
struct ValueCombinations {
    /// For each of the entries the number of its combination of values.
    private(set) var numbers: [Int32] = []
    /// For each combination the first entry that has it, by its index among these.
    private(set) var firsts: [Int] = []

    /// A table of so many places is looked up without hashing.
    private static let maxTable = 1 << 18

    /// - Parameters:
    ///   - ordinals: the numbers of the entries in their file.
    ///   - columns: of the fields.
    mutating func find(among ordinals: [Int32], _ columns: [ValueColumn]) {
        numbers.removeAll(keepingCapacity: true)
        numbers.append(contentsOf: repeatElement(0, count: ordinals.count))
        firsts = ordinals.isEmpty ? [] : [0]
        for column in columns where column.count > 0 { split(ordinals, column) }
    }

    /// Tells combinations apart by one more field.
    private mutating func split(_ ordinals: [Int32], _ column: ValueColumn) {
        let width = column.count + 1
        let (size, isBeyond) = firsts.count.multipliedReportingOverflow(by: width)
        firsts.removeAll(keepingCapacity: true)
        guard !isBeyond, size <= Self.maxTable else {
            var known: [Int: Int32] = [:]
            for (index, ordinal) in ordinals.enumerated() {
                let key = Int(numbers[index]) * width + Int(column.numbers[Int(ordinal)])
                numbers[index] = known[key] ?? add(index)
                known[key] = numbers[index]
            }
            return
        }
        var known = [Int32](repeating: -1, count: size)
        for (index, ordinal) in ordinals.enumerated() {
            let key = Int(numbers[index]) &* width &+ Int(column.numbers[Int(ordinal)])
            if known[key] < 0 { known[key] = add(index) }
            numbers[index] = known[key]
        }
    }

    private mutating func add(_ first: Int) -> Int32 {
        firsts.append(first)
        return Int32(truncatingIfNeeded: firsts.count - 1)
    }

    /// How many entries have each combination.
    var counts: [Int] {
        var counts = Array(repeating: 0, count: firsts.count)
        for number in numbers { counts[Int(number)] += 1 }
        return counts
    }
}
