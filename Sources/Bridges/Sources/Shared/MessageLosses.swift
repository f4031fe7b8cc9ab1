import Bus
import Records

extension RecordItem {
    /// A gap for messages that nobody heard because there was no connection.
    ///
    /// - Parameter number: that of the last message before.
    static func outage(of source: String, after number: UInt64) -> RecordItem {
        let message = "the connection was lost; what was sent meanwhile is missing here"
        return .record(.gap(lost: nil, source: source, time: .now, sequence: number, message: message))
    }
}

/// The same items, and a gap for those that were lost because they came faster than they were taken.
struct MessageLosses<Upstream: Signal>: Signal where Upstream.Value == RecordItem {
    typealias Value = RecordItem
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    /// The source's name.
    let name: String

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(MessageLossesObserver(downstream: observer, name: name))
    }

    static var chain: Chain { Upstream.chain.appending("gaps(in:)") }
    var chain: Chain { upstream.chain.appending("gaps(in: \"\(name)\")") }
}

struct MessageLossesObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == RecordItem {
    typealias Value = RecordItem
    typealias Failure = Downstream.Failure
    var downstream: Downstream
    let name: String
    private var number: UInt64 = 0

    init(downstream: consuming Downstream, name: String) {
        self.downstream = downstream
        self.name = name
    }

    mutating func next(_ item: RecordItem) -> Demand {
        if case .record(let record) = item { number = record.sequence }
        return downstream.next(item)
    }

    mutating func lost(_ count: Int) {
        number += UInt64(count)
        guard downstream.demand == .more else { return downstream.lost(count) }
        let message =
            "\(count == 1 ? "1 message is" : "\(count) messages are") missing here: they came faster than they were taken"
        _ = downstream.next(
            .record(.gap(lost: count, source: name, time: .now, sequence: number, message: message))
        )
    }

    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    var demand: Demand { downstream.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
