import Records

/// Records that are shown together: a match with what stands before it, or one that stands behind a match.
struct ContextBlock: Sendable {
    let records: [Record]
    /// Whether there was something between this and what was shown before it.
    let isApart: Bool
}
