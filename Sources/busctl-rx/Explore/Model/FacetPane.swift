import Records

/// The fields whose values are counted, and their most frequent values.
struct FacetPane {
    struct Facet: Equatable {
        /// How many of its values are shown.
        enum Extent {
            case none, first, many

            var count: Int {
                switch self {
                case .none: 0
                case .first: 6
                case .many: 50
                }
            }

            var next: Extent {
                switch self {
                case .none: .first
                case .first: .many
                case .many: .none
                }
            }
        }

        let path: FieldPath
        var extent = Extent.first
        /// The most frequent values, as many as are ever shown.
        var rows: [RecordCounts.Row] = []
        /// How many values there are.
        var distinct = 0
        /// Whether there are more than were told apart.
        var hasMore = false

        static func == (one: Facet, other: Facet) -> Bool { one.path == other.path }
    }

    /// A line: a field, or one of its values.
    enum Line: Equatable {
        case field(Int, distinct: Int)
        case value(Int, String?, count: Int)
    }

    /// More fields are not counted.
    private static let maxCount = 20

    private(set) var facets: [Facet]
    private(set) var cursor = 0

    init(_ names: [String]) {
        facets = names.map { Facet(path: FieldPath(orNameOfField: $0)) }
    }

    var groupings: [RecordGrouping] { facets.map { RecordGrouping(fields: [$0.path]) } }

    var lines: [Line] {
        var lines: [Line] = []
        for (index, facet) in facets.enumerated() {
            lines.append(.field(index, distinct: facet.distinct))
            lines += facet.rows.prefix(facet.extent.count).map {
                .value(index, $0.key.values.first ?? nil, count: $0.count)
            }
        }
        return lines
    }

    var current: Line? {
        let lines = lines
        return lines.indices.contains(cursor) ? lines[cursor] : nil
    }

    /// - Parameter counts: by each of the groupings.
    mutating func take(_ counts: some Sequence<RecordCounts>) {
        for (index, counts) in zip(facets.indices, counts) {
            facets[index].rows = counts.rows(first: Facet.Extent.many.count)
            facets[index].distinct = counts.counts.count
            facets[index].hasMore = counts.others > 0
        }
        move(to: cursor)
    }

    mutating func move(to line: Int) { cursor = max(0, min(line, lines.count - 1)) }

    /// Shows more values of a field, or none.
    mutating func extend(_ index: Int) {
        facets[index].extent = facets[index].extent.next
        move(to: cursor)
    }

    /// False if nothing has changed.
    mutating func add(_ name: String) -> Bool {
        let facet = Facet(path: FieldPath(name: name))
        guard !facets.contains(facet), facets.count < Self.maxCount else { return false }
        facets.insert(facet, at: 0)
        return true
    }

    mutating func remove(_ index: Int) {
        facets.remove(at: index)
        move(to: cursor)
    }
}
