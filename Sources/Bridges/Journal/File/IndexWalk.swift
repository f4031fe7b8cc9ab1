/// The entries of one file that the file's index finds for ``MatchTerms``.
indirect enum IndexWalk {
    case postings(Postings)
    case any([IndexWalk])
    case all([IndexWalk])

    /// The walk over the entries that the terms select in a file; `nil` if the file's index cannot be used.
    static func make(_ terms: MatchTerms, in file: JournalFile) -> IndexWalk? {
        guard file.hasWorkingIndex else { return nil }
        var conditions: [IndexWalk] = []
        for alternatives in terms.conditions {
            var walks: [IndexWalk] = []
            for alternative in alternatives {
                var fields: [IndexWalk] = []
                for (field, values) in alternative {
                    guard let walk = make(field, values, in: file) else { return nil }
                    fields.append(walk)
                }
                walks.append(fields.count == 1 ? fields[0] : .all(fields))
            }
            conditions.append(walks.count == 1 ? walks[0] : .any(walks))
        }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    /// Any of the values.
    private static func make(_ field: String, _ values: [[UInt8]], in file: JournalFile) -> IndexWalk? {
        var walks: [IndexWalk] = []
        for value in values {
            let line = Array(field.utf8) + [UInt8(ascii: "=")] + value
            switch line.withUnsafeBytes({ file.find($0) }) {
            case .damaged: return nil
            case .absent: break
            case .found(let data):
                guard let postings = Postings(file, data: data), !postings.isDamaged else { return nil }
                walks.append(.postings(postings))
            }
        }
        return walks.count == 1 ? walks[0] : .any(walks)
    }

    /// The entries with values that pass; `nil` where the fields have more than `most` values, or the index cannot be used.
    static func make(_ tests: [ValueTest], _ testing: ValueTesting, in file: JournalFile, most: Int) -> IndexWalk? {
        guard file.hasWorkingIndex else { return nil }
        var walks: [IndexWalk] = []
        for field in Set(tests.map { $0.prefix.dropLast() }) {
            guard let values = file.values(of: Array(field), most: most) else { return nil }
            for data in values {
                guard let line = file.payload(at: data, .spot) else { return nil }
                guard testing.holds(line) else { continue }
                guard let postings = Postings(file, data: data), !postings.isDamaged else { return nil }
                walks.append(.postings(postings))
            }
        }
        return walks.count == 1 ? walks[0] : .any(walks)
    }

    /// How many entries these are at most.
    var estimate: Int {
        switch self {
        case .postings(let postings): postings.count
        case .any(let walks): walks.reduce(0) { $0 + $1.estimate }
        case .all(let walks): walks.map(\.estimate).min() ?? 0
        }
    }

    var isDamaged: Bool {
        switch self {
        case .postings(let postings): postings.isDamaged
        case .any(let walks), .all(let walks): walks.contains { $0.isDamaged }
        }
    }

    /// The place of the first entry that is at `offset` or behind it; going back, of the last one there or before it.
    func next(from offset: Int, _ direction: Direction) -> Int? {
        switch self {
        case .postings(let postings): return postings.next(from: offset, direction)
        case .any(let walks):
            let found = walks.lazy.compactMap { $0.next(from: offset, direction) }
            return direction == .forward ? found.min() : found.max()
        case .all(let walks):
            guard !walks.isEmpty else { return nil }
            var offset = offset
            var agreeing = 0
            while true {
                for walk in walks {
                    guard let found = walk.next(from: offset, direction) else { return nil }
                    agreeing = found == offset ? agreeing + 1 : 1
                    offset = found
                    if agreeing == walks.count { return offset }
                }
            }
        }
    }

    /// Whether an entry that was found has the values for which it was.
    func confirms(_ offset: Int) -> Bool {
        switch self {
        case .postings(let postings): postings.confirms(offset)
        case .any(let walks), .all(let walks): walks.allSatisfy { $0.confirms(offset) }
        }
    }
}
