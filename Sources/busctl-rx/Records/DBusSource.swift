import Bus
import DBusBridge
import Glibc
import Records

/// A bus of D-Bus as a source of records.
struct DBusSource: Sendable {
    /// How many messages that the filter selects may wait to be shown. The connection is always read; further messages are lost,
    /// and counted.
    private static let limit = 4096

    private let address: DBusAddress
    private let source: RecordPlan.Source
    private let plan: RecordPlan
    private let scheduler: ThreadScheduler

    init(_ address: DBusAddress, _ source: RecordPlan.Source, _ plan: RecordPlan, on scheduler: ThreadScheduler) {
        self.address = address
        self.source = source
        self.plan = plan
        self.scheduler = scheduler
    }

    /// The filter is evaluated where messages are read: its cost is bounded, and unwanted messages need not change
    /// threads.
    func items(isWanted: @escaping @Sendable (Record) -> Bool) -> AnySignal<RecordItem, TailFailure> {
        let choice = choice
        let sieve = DBusSieve(source, plan.filter, isWanted: isWanted)
        let heard = Signals.deferred { DBusSession(address, choice, sieve).heard() }
        let selected = attempts(heard.eraseToAnySignal())
            .transduced(by: DBusItems(of: source.name, through: sieve))
            .deliver(on: scheduler, limit: Self.limit, overflow: .dropNewest)
        return MessageLosses(upstream: selected, name: source.name)
            .mapError { TailFailure(reason: "\(source.name): \($0.description)") }
            .eraseToAnySignal()
    }

    /// The filter's statistics count all messages, so all have to be heard for them.
    private var choice: DBusChoice {
        guard plan.tally == nil, let filter = plan.filter else { return plan.dbus }
        return DBusRules(source: source.name).narrow(plan.dbus, by: filter)
    }

    /// Further attempts, where they are wanted.
    private func attempts(_ heard: AnySignal<DBusHeard, DBusError>) -> AnySignal<DBusHeard, DBusError> {
        guard plan.reconnects else { return heard }
        return heard.reconnecting(
            named: source.name,
            hasBegun: { heard in if case .began = heard { true } else { false } },
            isTemporary: { $0.isTemporary }
        )
    }
}

extension DBusError {
    /// Whether another attempt may succeed once the bus runs again.
    fileprivate var isTemporary: Bool {
        switch reason {
        case .unreachable(let code): [ENOENT, ECONNREFUSED, EAGAIN, ECONNRESET, EPIPE].contains(code)
        case .disconnected: true
        default: false
        }
    }
}
