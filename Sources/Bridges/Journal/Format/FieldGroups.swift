import Glibc

/// An entry's fields by name, found in time linear in their number.
struct FieldGroups {
    /// The first slot of each name, in the entry's order.
    private(set) var firsts: [Int] = []
    /// For each slot the next one with the same name; `nil` for the last.
    private(set) var nexts: [Int?]

    init(_ entry: EntryView) {
        nexts = Array(repeating: nil, count: entry.slots.count)
        var lasts: [Name: Int] = [:]
        for index in entry.slots.indices {
            if let last = lasts.updateValue(index, forKey: Name(bytes: entry.name(of: entry.slots[index]))) {
                nexts[last] = index
            } else {
                firsts.append(index)
            }
        }
    }

    /// A name in place in the entry. Hashed with the process's own seed, so that nobody can choose names that
    /// collide.
    private struct Name: Hashable {
        let bytes: UnsafeRawBufferPointer

        static func == (one: Name, other: Name) -> Bool {
            guard one.bytes.count == other.bytes.count else { return false }
            guard let left = one.bytes.baseAddress, let right = other.bytes.baseAddress else { return true }
            return memcmp(left, right, one.bytes.count) == 0
        }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
    }
}
