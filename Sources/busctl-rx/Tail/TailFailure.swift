/// A source that is unavailable or was lost.
struct TailFailure: Error {
    /// Why, for a person to read.
    let reason: String
}
