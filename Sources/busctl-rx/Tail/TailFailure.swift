/// What ends a run other than its source's end.
enum TailFailure: Error {
    /// Why the source is lost, for a person to read.
    case source(String)
    case timeout
}
