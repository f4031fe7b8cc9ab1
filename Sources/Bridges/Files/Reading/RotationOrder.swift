/// The order in which files of a log were written: by their times, which rise or fall with the numbers in their names.
struct RotationOrder {
    /// The files behind the one that was found.
    let later: [RotatedLog]
    /// Whether these are all, and in their order.
    let isCertain: Bool

    init(of files: [RotatedLog], as found: RotatedLog) {
        let form = found.rotation?.form
        let files = files.filter { form == nil || $0.rotation?.form == form }
        let rising = Self.sorted(files) { $0.lexicographicallyPrecedes($1) }
        let falling = Self.sorted(files) { $1.lexicographicallyPrecedes($0) }
        let sorted = rising ?? falling ?? files.sorted { $0.changedAt < $1.changedAt }
        // At equal times both may be possible.
        let orders = Set([rising, falling].compactMap { $0?.map(\.name) })
        isCertain = form != nil && orders.count == 1
        // Otherwise rather lines twice than not at all.
        later =
            isCertain
            ? Array(sorted.drop { $0.name != found.name }.dropFirst())
            : sorted.filter { $0.changedAt >= found.changedAt && $0.name != found.name }
    }

    /// The files by their times, and by their numbers where these are equal; `nil` where the numbers have another order.
    private static func sorted(_ files: [RotatedLog], by precedes: ([UInt64], [UInt64]) -> Bool) -> [RotatedLog]? {
        func numbers(_ file: RotatedLog) -> [UInt64] { file.rotation?.numbers ?? [] }
        let sorted = files.sorted {
            $0.changedAt == $1.changedAt ? precedes(numbers($0), numbers($1)) : $0.changedAt < $1.changedAt
        }
        let numbered = sorted.map(numbers).filter { !$0.isEmpty }
        return zip(numbered, numbered.dropFirst()).contains { precedes($1, $0) } ? nil : sorted
    }
}
