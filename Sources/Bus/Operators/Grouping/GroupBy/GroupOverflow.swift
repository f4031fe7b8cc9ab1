/// The treatment of a value whose key has no group, when `groupBy` has as many groups as there may be.
public enum GroupOverflow<Failure: Error>: Sendable {
    /// The value is lost, and counted in the signal of groups; the existing groups go on.
    case dropNewest
    /// The group that has been without a value longest completes and makes room.
    case completeOldest
    /// The signal and all its groups fail with the closure's result.
    case fail(@Sendable () -> Failure)
}
