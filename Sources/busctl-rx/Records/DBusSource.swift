import Bus
import DBusBridge
import Glibc
import Records

/// A bus of D-Bus as a source of records.
struct DBusSource: Sendable {
    /// How many messages may wait to be filtered. The connection is always read; further messages are lost, and counted.
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

    func items(isWanted: @escaping @Sendable (Record) -> Bool) -> AnySignal<RecordItem, TailFailure> {
        let heard = Signals.deferred {
            DBusSession(address, plan.dbus).heard().deliver(on: scheduler, limit: Self.limit, overflow: .dropNewest)
        }
        return DBusItems(upstream: attempts(heard.eraseToAnySignal()), name: source.name)
            .map { $0.shifted(by: source.skew) }
            .filter { item in if case .record(let record) = item { isWanted(record) } else { true } }
            .mapError { TailFailure(reason: "\(source.name): \($0.description)") }
            .eraseToAnySignal()
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
