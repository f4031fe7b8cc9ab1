/// A condition made of exact field values alone, which a source's index can answer without looking at every record.
///
/// It selects a superset of the filter's records, so the filter is still evaluated on each of them.
public indirect enum Match: Sendable, Hashable {
    /// No record can be left out.
    case everything
    /// No record can be selected.
    case nothing
    /// Records in which the index has exactly these bytes for the field, as the source names it.
    case term(field: String, value: [UInt8])
    /// Never empty, never just one, never nested directly in another `all`.
    case all([Match])
    /// Never empty, never just one, never nested directly in another `any`.
    case any([Match])

    /// How many terms the index would be asked for. Indexes slow down with their number.
    package var termCount: Int {
        switch self {
        case .everything, .nothing: 0
        case .term: 1
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.termCount }
        }
    }
}
