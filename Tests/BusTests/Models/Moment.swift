/// When something happens in virtual time, precisely enough to put any two things in order, those at the same
/// nanosecond included.
///
/// The first number is the time. The rest says, from the coarse to the fine, in which turn: what follows from something
/// has its numbers and more, so that it comes after it and before whatever comes after that.
struct Moment: Comparable, Sendable {
    private(set) var path: [Int]
    /// The hot sources that are busy at this moment, by number, and since when: whoever subscribes to one is let in
    /// after what it is busy with.
    private(set) var busy: [Int: Moment] = [:]

    init(path: [Int]) {
        self.path = path
    }

    /// When the chain is subscribed to, before anything is sent.
    static let start = Moment(path: [0, -1])

    var time: Int { path[0] }

    /// The `turn`-th thing that follows from this.
    func then(_ turn: Int) -> Moment {
        var moment = self
        moment.path.append(turn)
        return moment
    }

    /// When the next of several signals is subscribed to, this being when the one before was: where that one ends, or,
    /// when it ended while it was being subscribed to, once that has returned.
    func successor(endingAt end: Moment) -> Moment {
        end.path.starts(with: path) ? then(Self.returned) : end.then(0)
    }

    /// Behind everything that follows from subscribing.
    private static let returned = Int.max

    /// The turn, within this, of who subscribed at `subscription`: in the order of subscribing. The -1 puts one before
    /// those that subscribed because of it.
    func turn(of subscription: Moment) -> Moment {
        var moment = self
        moment.path += subscription.path + [-1]
        return moment
    }

    /// The same moment, at which the hot source `number` is busy, unless it has been for longer.
    func withBusy(_ number: Int) -> Moment {
        guard busy[number] == nil else { return self }
        var moment = self
        moment.busy[number] = self
        return moment
    }

    /// When those are let in to the hot source `number` who subscribe now; nil when it is not busy.
    func admission(to number: Int) -> Moment? {
        guard let since = busy[number] else { return nil }
        // The first turns are those of the event itself; each round of letting in is one more.
        return since.withBusy(number).then(max(2, path[since.path.count] + 1))
    }

    static func < (a: Moment, b: Moment) -> Bool { a.path.lexicographicallyPrecedes(b.path) }

    static func == (a: Moment, b: Moment) -> Bool { a.path == b.path }
}
