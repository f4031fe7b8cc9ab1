/// What `groupBy` does with a value whose key has no group, when there are as many groups as there may be.
public enum GroupOverflow<Failure: Error>: Sendable {
    /// The value is lost, and counted in the signal of groups; the groups there are go on.
    case dropNewest
    /// The group that has been without a value longest completes and makes room.
    case completeOldest
    /// The signal and all its groups fail with what the closure makes.
    case fail(@Sendable () -> Failure)
}
