import JournalBridge

/// What ends a run other than its source's end.
enum TailFailure: Error {
    case source(JournalError)
    case timeout
}
