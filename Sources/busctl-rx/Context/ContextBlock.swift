import RecordSources
import Records

/// Records that are shown together: a match with the records before it, or one that follows a match.
struct ContextBlock: Sendable {
    let records: [Record]
    /// Whether records between this and the last shown one were left out.
    let isApart: Bool
}

extension ContextBlock: Sized {
    var size: Int { records.reduce(0) { $0 + $1.size } }
}
