/// A map's entries: keys and values alternating, ordered by key, so that a key is found by binary search.
///
/// Keys are `bool`, numbers or text. Numbers of all types are in one order, and equal ones are the same key.
enum MapEntries {
    /// The value of the key; `nil` when the map lacks it.
    static func value(_ entries: UnsafeBufferPointer<Value>, _ key: Value, _ allowance: inout Allowance) -> Value? {
        guard let wanted = rank(key) else { return nil }
        var lower = 0
        var upper = entries.count / 2
        while lower < upper {
            let middle = (lower + upper) / 2
            let order = compare(entries[2 * middle], rank(entries[2 * middle]) ?? 0, key, wanted, &allowance)
            // Only NaN has no order, and no map has that key.
            guard let order else { return nil }
            if order == 0 { return entries[2 * middle + 1] }
            if order < 0 { lower = middle + 1 } else { upper = middle }
        }
        return nil
    }

    /// The mistake in a list of keys and values.
    enum Defect {
        /// A key of a type that no map has. Its place among the entries is given.
        case unsupported(Int)
        case repeated(Int)
    }

    /// Keys and values, alternating, in order; or the reason why they make no map. Of a repeated key the last value may be
    /// kept instead. Means nothing when the allowance is exhausted.
    static func ordered(
        _ entries: [Value],
        keepingLast: Bool = false,
        _ allowance: inout Allowance
    ) -> (entries: [Value], defect: Defect?) {
        var ranks: [Int] = []
        for index in stride(from: 0, to: entries.count, by: 2) {
            guard let rank = rank(entries[index]), entries[index].isMapKey else {
                return ([], .unsupported(index / 2))
            }
            ranks.append(rank)
        }
        let places = ranks.indices.sorted {
            guard allowance.pay(1) else { return false }
            let order = compare(entries[2 * $0], ranks[$0], entries[2 * $1], ranks[$1], &allowance) ?? 0
            // An equal key that comes first stays first.
            return order == 0 ? $0 < $1 : order < 0
        }
        var ordered: [Value] = []
        ordered.reserveCapacity(entries.count)
        for (number, place) in places.enumerated() {
            if number + 1 < places.count {
                let next = places[number + 1]
                if compare(entries[2 * place], ranks[place], entries[2 * next], ranks[next], &allowance) == 0 {
                    if keepingLast { continue }
                    return ([], .repeated(next))
                }
            }
            ordered.append(entries[2 * place])
            ordered.append(entries[2 * place + 1])
        }
        return (ordered, nil)
    }

    /// Keys of one rank are comparable. A double is looked for among the whole numbers.
    private static func rank(_ key: Value) -> Int? {
        switch key {
        case .bool: 0
        case .int, .uint, .double: 1
        case .string: 2
        default: nil
        }
    }

    private static func compare(
        _ left: Value,
        _ leftRank: Int,
        _ right: Value,
        _ rightRank: Int,
        _ allowance: inout Allowance
    ) -> Int? {
        leftRank == rightRank ? Comparison.order(left, right, &allowance) : leftRank - rightRank
    }
}

extension Value {
    /// Whether it may be a key of a map. A double may not, but a lookup with a double finds an equal whole number.
    var isMapKey: Bool {
        switch self {
        case .bool, .int, .uint, .string: true
        default: false
        }
    }
}
