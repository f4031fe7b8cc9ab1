import Bus
import DBusBridge
import Records

/// Records of what is heard on a bus and the filter selects. A gap tells of messages that nobody heard because the connection had ended.
struct DBusItems<Upstream: Signal>: Signal where Upstream.Value == DBusHeard {
    typealias Value = RecordItem
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    /// What the source is called.
    let name: String
    let sieve: DBusSieve

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(DBusItemsObserver(downstream: observer, name: name, sieve: sieve))
    }

    var chain: Chain { upstream.chain.appending("records(from: \"\(name)\")") }
}

struct DBusItemsObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable where Downstream.Value == RecordItem {
    typealias Value = DBusHeard
    typealias Failure = Downstream.Failure
    var downstream: Downstream
    let name: String
    let sieve: DBusSieve
    private var hasBegun = false

    init(downstream: consuming Downstream, name: String, sieve: DBusSieve) {
        self.downstream = downstream
        self.name = name
        self.sieve = sieve
    }

    mutating func next(_ heard: DBusHeard) -> Demand {
        switch heard {
        case .began:
            defer { hasBegun = true }
            guard hasBegun else { return downstream.next(.caughtUp) }
            let message = "the connection was lost; what was sent meanwhile is missing here"
            return downstream.next(
                .record(.gap(lost: nil, source: name, time: Record.now, sequence: sieve.number, message: message))
            )
        case .message(let message, let names):
            guard let record = sieve.select(message, senderNames: names) else { return downstream.demand }
            return downstream.next(.record(record))
        }
    }

    mutating func lost(_ count: Int) { downstream.lost(count) }

    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    var demand: Demand { downstream.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
