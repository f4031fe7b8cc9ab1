/// Finds the name that was probably meant.
package enum Spelling {
    /// The candidate nearest to the name, when it is near enough to be worth suggesting: it differs only in case and
    /// in leading underscores, or by few edits.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.utf8.prefix(100))
        let folded = folded(name)
        let limit = max(1, min(3, wanted.count / 3))
        var best: (name: String, distance: Int)?
        for candidate in candidates where candidate != name {
            let distance =
                Self.folded(candidate) == folded ? 0 : editDistance(wanted, Array(candidate.utf8), limit: limit)
            guard let distance, distance < (best?.distance ?? Int.max) else { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    private static func folded(_ name: String) -> String {
        String(name.drop { $0 == "_" }).lowercased()
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn one name into the other; `nil` above the
    /// limit.
    static func editDistance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit, !left.isEmpty, !right.isEmpty else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let replaced = last[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                var cost = min(last[column] + 1, current[column - 1] + 1, replaced)
                let swapped =
                    row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1]
                if swapped { cost = min(cost, beforeLast[column - 2] + 1) }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
