/// The ids that options stand for in the journal that is read.
struct ResolvedIDs: Equatable {
    /// The id of the boot that was asked for.
    var boot: String?
    /// The id of the invocation that was asked for.
    var invocation: String?
}
