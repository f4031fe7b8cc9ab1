/// A one-shot could not be scheduled.
public enum OneShotError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The id is empty or too long.
    case invalidID(String)
    /// The time is not in the years 1678 to 2261.
    case invalidTime(id: String)
    /// The calendar has no time any more.
    case noTime(id: String, calendar: String)
    /// There are ``OneShots/maxCount``. More need a second name.
    case tooMany(job: String)
    /// Others wrote to the store again and again between reading and writing. The store has nothing of it.
    case contended(job: String)

    public var description: String {
        switch self {
        case .invalidID(let id):
            """
            "\(id.prefix(40))" cannot be the id of a one-shot: it has \(id.utf8.count) bytes \
            (1 to \(OneShots.maxIDLength) are allowed)
            """
        case .invalidTime(let id): "cannot schedule \(id): the time is not in the years 1678 to 2261"
        case .noTime(let id, let calendar): "cannot schedule \(id): \(calendar) does not come any more"
        case .tooMany(let job): "cannot schedule more of \(job): \(OneShots.maxCount) wait or run"
        case .contended(let job): "cannot write the one-shots of \(job): others write to the store all the time"
        }
    }
}
