import Bus
import BusTesting
import Timers

/// What a source sends and when, in nanoseconds.
struct Script: Sendable, CustomStringConvertible {
    var events: [(time: Int, event: Event<Int, TestFailure>)]

    var recorded: [Recorded<Int, TestFailure>] {
        events.map { Recorded(TimerInstant(nanoseconds: Int64($0.time)), $0.event) }
    }

    var description: String { events.map { "\($0.event)@\($0.time)" }.joined(separator: " ") }
}

/// A source at the start of a chain.
enum SourceTerm: Sendable, CustomStringConvertible {
    /// One of the trial's hot sources, by number. Several places may share one.
    case hot(Int)
    /// A separate cold source.
    case cold(Script)
    /// Values and an end, during subscribe.
    case sequence([Int])
    case failure
    /// Silent but not dropped, because a dropped source would free its chain.
    case never

    func signal(_ world: World) -> Stream {
        switch self {
        case .hot(let number): world.hot[number].eraseToAnySignal()
        case .cold(let script): world.cold(script).eraseToAnySignal()
        case .sequence(let values): Signals.from(values).promoteFailure(to: TestFailure.self).eraseToAnySignal()
        case .failure: Signals.fail(TestFailure("at once"), of: Int.self).eraseToAnySignal()
        case .never: world.silent.eraseToAnySignal()
        }
    }

    func model(_ hot: [Script]) -> Model {
        switch self {
        case .hot(let number): .hot(hot[number], number)
        case .cold(let script): .cold(script)
        case .sequence(let values): .cold(Script(events: values.map { (0, .next($0)) } + [(0, .completed)]))
        case .failure: .cold(Script(events: [(0, .failed("at once"))]))
        case .never: Model { _ in [] }
        }
    }

    var description: String {
        switch self {
        case .hot(let number): "hot \(number)"
        case .cold(let script): "cold(\(script))"
        case .sequence(let values): "from(\(values))"
        case .failure: "fail"
        case .never: "never"
        }
    }
}

extension Model {
    /// A script that begins with every subscription. Events due at once are sent during subscribe. The others are put
    /// on the scheduler then. At the same time they come after the hot sources, in the order in which they were put
    /// there.
    static func cold(_ script: Script) -> Model {
        Model { subscribing in
            script.events.enumerated().map { index, entry in
                let moment =
                    entry.time == 0
                    ? subscribing.then(index)
                    : Moment(path: [subscribing.time + entry.time, 1]).turn(of: subscribing).then(index)
                return Note(moment.then(0), release: moment.then(1), entry.event)
            }
        }
    }

    /// A script that runs by itself. Each event goes to all subscribers in the order in which they subscribed. Then
    /// those that answered `stop` hear their completion. Then those that subscribed meanwhile are admitted; they hear
    /// the end if that was the event. Later subscribers hear the end at once.
    static func hot(_ script: Script, _ number: Int) -> Model {
        Model { subscribing in
            script.events.enumerated().compactMap { index, entry in
                let base = Moment(path: [entry.time, 0, number, index]).withBusy(number)
                guard base < subscribing else {
                    let release = base.then(1).turn(of: subscribing)
                    return Note(base.then(0).turn(of: subscribing), release: release, entry.event)
                }
                if entry.event.isNext { return nil }
                let admission = subscribing.admission(to: number)?.turn(of: subscribing)
                return Note(admission ?? subscribing.withBusy(number).then(0), entry.event)
            }
        }
    }
}

extension Event {
    var isNext: Bool {
        if case .next = self { return true }
        return false
    }
}
