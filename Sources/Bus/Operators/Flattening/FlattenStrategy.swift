/// The handling of several signals that a signal sends: which of them run, and whose values are heard.
public struct FlattenStrategy: Sendable, Hashable, CustomStringConvertible {
    @usableFromInline
    enum Kind: Sendable, Hashable {
        case queue(maxConcurrent: Int)
        case latest
        case first
        case race
    }

    @usableFromInline let kind: Kind

    @usableFromInline
    init(_ kind: Kind) {
        self.kind = kind
    }

    /// All of them run at once, and their values are sent as they come. A signal starts when the observer has room.
    public static let merge = FlattenStrategy(.queue(maxConcurrent: .max))

    /// At most so many run at once, at least one; further ones wait for their turn.
    public static func merge(maxConcurrent: Int) -> FlattenStrategy {
        FlattenStrategy(.queue(maxConcurrent: max(1, maxConcurrent)))
    }

    /// One after the other; further ones wait for their turn.
    public static let concat = FlattenStrategy(.queue(maxConcurrent: 1))

    /// Each ends the one before it: only the latest is heard.
    public static let latest = FlattenStrategy(.latest)

    /// Signals that come while one runs are ignored. (ReactiveSwift's `throttle`, RxSwift's `flatMapFirst`.)
    public static let first = FlattenStrategy(.first)

    /// All of them run until one sends an event. From then on only that one is heard, and all others are released,
    /// the signal that sends them, too. (ReactiveSwift's strategy of this name waits for that signal's completion.)
    public static let race = FlattenStrategy(.race)

    public var description: String {
        switch kind {
        case .queue(maxConcurrent: .max): "merge"
        case .queue(maxConcurrent: 1): "concat"
        case .queue(let maxConcurrent): "merge(maxConcurrent: \(maxConcurrent))"
        case .latest: "latest"
        case .first: "first"
        case .race: "race"
        }
    }
}
