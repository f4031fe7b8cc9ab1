/// What a contender is there for.
enum BenchmarkRole {
    /// This package.
    case ours
    /// The least that the job can cost.
    case floor
    /// What a user would pick without this package.
    case instead
}
