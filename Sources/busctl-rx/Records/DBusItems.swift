import Bus
import DBusBridge
import Records

/// Records of what is heard on a bus. A gap tells of messages that were lost, and of those that nobody heard because the connection had
/// ended.
struct DBusItems<Upstream: Signal>: Signal where Upstream.Value == DBusHeard {
    typealias Value = RecordItem
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    /// What the source is called.
    let name: String

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(DBusItemsObserver(downstream: observer, name: name))
    }

    var chain: Chain { upstream.chain.appending("records(from: \"\(name)\")") }
}

struct DBusItemsObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable where Downstream.Value == RecordItem {
    typealias Value = DBusHeard
    typealias Failure = Downstream.Failure
    var downstream: Downstream
    let name: String
    private var number: UInt64 = 0
    private var hasBegun = false

    init(downstream: consuming Downstream, name: String) {
        self.downstream = downstream
        self.name = name
    }

    mutating func next(_ heard: DBusHeard) -> Demand {
        switch heard {
        case .began:
            defer { hasBegun = true }
            guard hasBegun else { return downstream.next(.caughtUp) }
            return downstream.next(gap(nil, "the connection was lost; what was sent meanwhile is missing here"))
        case .message(let message, let names):
            number += 1
            return downstream.next(.record(DBusContent(message, senderNames: names).record(from: name, number: number)))
        }
    }

    mutating func lost(_ count: Int) {
        number += UInt64(count)
        guard downstream.demand == .more else { return downstream.lost(count) }
        let messages = count == 1 ? "1 message is" : "\(count) messages are"
        _ = downstream.next(gap(count, "\(messages) missing here: they came faster than they were taken"))
    }

    private func gap(_ lost: Int?, _ message: String) -> RecordItem {
        .record(.gap(lost: lost, source: name, time: Record.now, sequence: number, message: message))
    }

    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    var demand: Demand { downstream.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
