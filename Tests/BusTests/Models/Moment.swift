/// The moment of an event in virtual time. It is precise enough to order any two events, even at the same nanosecond.
///
/// The first number is the time. The others give the order within it, from coarse to fine. A consequence of an event
/// has the event's numbers and more. So it comes after the event, and before anything that comes after the event.
struct Moment: Comparable, Sendable {
    private(set) var path: [Int]
    /// The hot sources that are busy at this moment, by number, and since when. A new subscriber is admitted after the
    /// event that the source is busy with.
    private(set) var busy: [Int: Moment] = [:]

    init(path: [Int]) {
        self.path = path
    }

    /// The chain is subscribed to, before anything is sent.
    static let start = Moment(path: [0, -1])

    var time: Int { path[0] }

    /// The `turn`-th consequence of this moment.
    func then(_ turn: Int) -> Moment {
        var moment = self
        moment.path.append(turn)
        return moment
    }

    /// The moment when the next of several signals is subscribed to; this is the moment for the previous one. It is
    /// where the previous one ends. If that ended while it was being subscribed to, it is once the subscribing has
    /// returned.
    func successor(endingAt end: Moment) -> Moment {
        end.path.starts(with: path) ? then(Self.returned) : end.then(0)
    }

    /// After all consequences of subscribing.
    private static let returned = Int.max

    /// The place within this moment of the subscriber from `subscription`, in the order of subscribing. The -1 puts a
    /// subscriber before those that subscribed because of it.
    func turn(of subscription: Moment) -> Moment {
        var moment = self
        moment.path += subscription.path + [-1]
        return moment
    }

    /// The same moment while the hot source `number` is busy, unless it was already busy before.
    func withBusy(_ number: Int) -> Moment {
        guard busy[number] == nil else { return self }
        var moment = self
        moment.busy[number] = self
        return moment
    }

    /// When the hot source `number` admits those that subscribe now; nil if it is not busy.
    func admission(to number: Int) -> Moment? {
        guard let since = busy[number] else { return nil }
        // The first places are those of the event itself. Each round of admissions is one more.
        return since.withBusy(number).then(max(2, path[since.path.count] + 1))
    }

    static func < (a: Moment, b: Moment) -> Bool { a.path.lexicographicallyPrecedes(b.path) }

    static func == (a: Moment, b: Moment) -> Bool { a.path == b.path }
}
