/// A question to the index of one file: lists of entries, united and intersected.
indirect enum IndexCondition {
    case postings(Postings)
    /// Any of many values.
    case union(PostingsUnion)
    case any([IndexCondition])
    case all([IndexCondition])

    /// The entries that the terms select in a file; `nil` if the file's index cannot be used.
    static func make(_ terms: MatchTerms, in file: JournalFile) -> IndexCondition? {
        guard file.hasWorkingIndex else { return nil }
        var conditions: [IndexCondition] = []
        for alternatives in terms.conditions {
            var either: [IndexCondition] = []
            for alternative in alternatives {
                var fields: [IndexCondition] = []
                for (field, values) in alternative {
                    guard let condition = make(field, values, in: file) else { return nil }
                    fields.append(condition)
                }
                either.append(.joined(fields, IndexCondition.all))
            }
            conditions.append(.joined(either, IndexCondition.any))
        }
        return .joined(conditions, IndexCondition.all)
    }

    /// Any of the values.
    private static func make(_ field: String, _ values: [[UInt8]], in file: JournalFile) -> IndexCondition? {
        var lists: [IndexCondition] = []
        for value in values {
            let line = Array(field.utf8) + [UInt8(ascii: "=")] + value
            switch line.withUnsafeBytes({ file.find($0) }) {
            case .damaged: return nil
            case .absent: break
            case .found(let data):
                guard let postings = Postings(file, data: data), !postings.isDamaged else { return nil }
                lists.append(.postings(postings))
            }
        }
        return .joined(lists, IndexCondition.any)
    }

    /// The entries with values that pass; `nil` where the fields have more than `limit` values, or the index cannot be used.
    static func make(
        _ tests: [ValueTest],
        _ testing: ValueTesting,
        in file: JournalFile,
        limit: Int
    ) -> IndexCondition? {
        guard file.hasWorkingIndex else { return nil }
        var lists: [Postings] = []
        for field in Set(tests.map { $0.prefix.dropLast() }) {
            guard let values = file.values(of: Array(field), limit: limit) else { return nil }
            var passed: [Int] = []
            for data in values {
                guard let line = file.payload(at: data, .spot) else { return nil }
                if testing.holds(line) { passed.append(data) }
            }
            let isWhole = file.forEachList(of: passed) { postings in
                lists.append(postings)
                return true
            }
            guard isWhole else { return nil }
        }
        return lists.count == 1 ? .postings(lists[0]) : .union(PostingsUnion(lists))
    }

    static func joined(_ conditions: [IndexCondition], _ join: ([IndexCondition]) -> IndexCondition) -> IndexCondition {
        conditions.count == 1 ? conditions[0] : join(conditions)
    }

    /// How many entries these are at most.
    var estimate: Int {
        switch self {
        case .postings(let postings): postings.count
        case .union(let union): union.lists.reduce(0) { $0 + $1.count }
        case .any(let conditions): conditions.reduce(0) { $0 + $1.estimate }
        case .all(let conditions): conditions.map(\.estimate).min() ?? 0
        }
    }

    /// If the rarest of several values has at most so many entries, all of these are read.
    private static let maxRead = 1024

    /// The places of the entries in part of the file, sorted. `nil` if a list is damaged.
    ///
    /// - Parameter direction: in which the parts follow each other.
    func places(in range: Range<Int>, of file: JournalFile, _ direction: Direction) -> [Int]? {
        switch self {
        case .postings(let postings): return postings.places(in: range, direction)
        case .union(let union): return Self.united(union.lists) { $0.places(in: range, direction) }
        case .any(let conditions):
            return Self.united(conditions) { $0.places(in: range, of: file, direction) }
        case .all(let conditions):
            guard let rarest = conditions.indices.min(by: { conditions[$0].estimate < conditions[$1].estimate }),
                var places = conditions[rarest].places(in: range, of: file, direction)
            else { return conditions.isEmpty ? [] : nil }
            if conditions[rarest].estimate <= Self.maxRead {
                // A wrong place in any of the lists would hide an entry; the entries themselves tell.
                var found: [Int] = []
                for place in places {
                    let isRight = file.withItems(ofEntryAt: place, file.place.access) { items in
                        guard conditions[rarest].holds(for: items) else { return false }
                        if holds(for: items) { found.append(place) }
                        return true
                    }
                    guard isRight == true else { return nil }
                }
                return found
            }
            for index in conditions.indices where index != rarest && !places.isEmpty {
                guard let rest = conditions[index].filter(places) else { return nil }
                places = rest
            }
            return places
        }
    }

    /// The given places that are among these entries. `nil` if a list is damaged.
    private func filter(_ places: [Int]) -> [Int]? {
        switch self {
        case .postings(let postings): return postings.filter(places)
        case .union(let union): return Self.united(union.lists) { $0.filter(places) }
        case .any(let conditions): return Self.united(conditions) { $0.filter(places) }
        case .all(let conditions):
            var places = places
            for condition in conditions where !places.isEmpty {
                guard let rest = condition.filter(places) else { return nil }
                places = rest
            }
            return places
        }
    }

    private static func united<Condition>(_ conditions: [Condition], _ places: (Condition) -> [Int]?) -> [Int]? {
        var united: [Int] = []
        for condition in conditions {
            guard let more = places(condition) else { return nil }
            united += more
        }
        guard conditions.count > 1 else { return united }
        // Each condition's places are sorted already, which makes this fast.
        united.sort()
        var last = -1
        united.removeAll { place in
            defer { last = place }
            return place == last
        }
        return united
    }

    /// Whether an entry, by the places of its fields, is one of these.
    func holds(for items: UnsafeBufferPointer<UInt64>) -> Bool {
        switch self {
        case .postings(let postings): items.contains(UInt64(postings.data))
        case .union(let union): items.contains { union.contains($0) }
        case .any(let conditions): conditions.contains { $0.holds(for: items) }
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: items) }
        }
    }
}

/// The entries that have any of some values.
final class PostingsUnion {
    let lists: [Postings]
    /// Where the values are, sorted.
    private let places: [UInt64]

    init(_ lists: [Postings]) {
        self.lists = lists
        places = lists.map { UInt64($0.data) }.sorted()
    }

    /// Whether one of the values is at that place.
    func contains(_ place: UInt64) -> Bool {
        let index = BinarySearch.firstIndex(below: places.count) { places[$0] >= place }
        return index < places.count && places[index] == place
    }
}
