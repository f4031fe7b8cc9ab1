/// The role of a contender.
enum BenchmarkRole {
    /// This package.
    case ours
    /// The least that the job can cost.
    case floor
    /// What a user would choose without this package.
    case instead
}
