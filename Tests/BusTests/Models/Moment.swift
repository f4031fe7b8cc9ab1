/// When something happens in virtual time, precisely enough to put any two things in order, those at the same
/// nanosecond included.
///
/// The first number is the time. The rest says, from the coarse to the fine, in which turn: what follows from something
/// has its numbers and more, so that it comes after it and before whatever comes after that.
struct Moment: Comparable, Sendable {
    private(set) var path: [Int]

    /// When the chain is subscribed to, before anything is sent.
    static let start = Moment(path: [0, -1])

    var time: Int { path[0] }

    /// The `turn`-th thing that follows from this.
    func then(_ turn: Int) -> Moment { Moment(path: path + [turn]) }

    /// The turn, within this, of who subscribed at `subscription`: in the order of subscribing. The -1 puts one before
    /// those that subscribed because of it.
    func turn(of subscription: Moment) -> Moment { Moment(path: path + subscription.path + [-1]) }

    func begins(with other: Moment) -> Bool { path.starts(with: other.path) }

    static func < (a: Moment, b: Moment) -> Bool { a.path.lexicographicallyPrecedes(b.path) }
}
