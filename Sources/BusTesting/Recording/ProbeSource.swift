public import Bus
import Synchronization

/// A hot source under a test's control that knows how many subscriptions hold it, and when they pause.
///
/// It sends when told to, whether or not a subscription pauses. A test that plays a source that can pause looks at
/// ``demand`` before it sends, and passes ``whenReady(_:)`` a closure that goes on.
public final class ProbeSource<Value: Sendable, Failure: Error>: Signal {
    private let subject: Subject<ProbeInput<Value>, Failure>
    let log: SubscriptionLog
    /// The events that every subscription hears first, while it is being made.
    private let opening: [Event<Value, Failure>]
    private let made = Atomic<Int>(0)
    let answers = ProbeAnswers()

    /// - Parameters:
    ///   - type: the type of the values.
    ///   - failure: the type of the failure.
    ///   - time: the scheduler whose clock dates the ``windows``; without one they all are at zero.
    public convenience init(
        of type: Value.Type = Value.self,
        failure: Failure.Type = Failure.self,
        on time: TestScheduler? = nil
    ) {
        self.init(opening: [], on: time)
    }

    init(opening: [Event<Value, Failure>], on time: TestScheduler? = nil) {
        subject = Subject(failure: Failure.self)
        log = SubscriptionLog(time)
        self.opening = opening
    }

    /// How many subscriptions were made. A subscription counts as soon as it hears the next event, so a test may wait
    /// for it.
    public var subscriptions: Int { made.load(ordering: .acquiring) }

    /// How many subscriptions have neither ended nor been disposed of. A subscription counts from its beginning; to
    /// wait until it hears events, wait for ``subscriptions``.
    public var liveSubscriptions: Int { log.live }

    /// When each subscription began and ended, in the order in which they began.
    public var windows: [SubscriptionWindow] { log.windows }

    /// `Demand.pause` while a subscription that was sent a value pauses; `Demand.stop` after the end.
    public var demand: Demand {
        if subject.demand == .stop { return .stop }
        return answers.isPaused ? .pause : .more
    }

    /// Asks to be called when every subscription is ready; see `Observer.whenReady`.
    public func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        if subject.demand == .stop { return .stop }
        return answers.wait(resume) ? .pause : .more
    }

    /// The answer to the last value; nil before the first.
    public var lastAnswer: Demand? { answers.last }

    /// How many values were answered with `Demand.pause`.
    public var pauses: Int { answers.pauses }

    /// How often a subscription that had paused has called back.
    public var callbacks: Int { answers.callbacks }

    /// Sends a value to every subscription, also to those that pause. After the end it does nothing.
    public func send(_ value: Value) { subject.send(.value(value)) }

    /// Reports that `count` values are missing here.
    public func sendLoss(of count: Int) { subject.send(.loss(count)) }

    /// Ends every subscription. A later subscription hears the end at once.
    public func complete() { subject.complete() }

    /// Ends every subscription with a failure. A later subscription hears it at once.
    public func fail(_ failure: Failure) { subject.fail(failure) }

    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let lease = log.enter()
        defer { made.add(1, ordering: .releasing) }
        var observer = ProbeObserver(downstream: observer, lease: lease, answers: answers)
        for event in opening {
            let demand: Demand
            switch event {
            case .next(let value): demand = observer.next(.value(value))
            case .completed:
                observer.terminate(.completed)
                return lease
            case .failed(let failure):
                observer.terminate(.failed(failure))
                return lease
            }
            guard demand != .stop else {
                observer.terminate(.completed)
                return lease
            }
        }
        return DisposablePair(subject.subscribe(observer), lease)
    }

    public var chain: Chain { Chain(source: "probe") }
}

/// The input of the source's subject: so that losses keep their place among the values.
private enum ProbeInput<Value: Sendable>: Sendable {
    case value(Value)
    case loss(Int)
}

/// Reports to the source, and not to its subject, that the downstream pauses. The subject would enqueue values that
/// are sent from inside the callback, and the source would not learn from its answer that the downstream pauses
/// again.
private struct ProbeObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    typealias Value = ProbeInput<Downstream.Value>
    typealias Failure = Downstream.Failure

    private var downstream: Downstream
    private let lease: ActionDisposable
    private let answers: ProbeAnswers
    private let standing: Standing

    /// Released with the observer, which is not asked to call back any more.
    private final class Standing: Sendable {
        let id: Int
        private let answers: ProbeAnswers

        init(_ answers: ProbeAnswers) {
            self.answers = answers
            id = answers.enter()
        }

        deinit {
            answers.resume(id)
        }
    }

    init(downstream: consuming Downstream, lease: ActionDisposable, answers: ProbeAnswers) {
        self.downstream = downstream
        self.lease = lease
        self.answers = answers
        standing = Standing(answers)
    }

    mutating func next(_ input: ProbeInput<Downstream.Value>) -> Demand {
        switch input {
        case .value(let value): return send(value)
        case .loss(let count):
            downstream.lost(count)
            return demand
        }
    }

    private mutating func send(_ value: Downstream.Value) -> Demand {
        let answer = downstream.next(value)
        // Noted before it is asked to call back, which it may do at once.
        answers.note(answer, of: standing.id)
        guard answer == .pause else { return answer }
        let demand = downstream.whenReady(answers.request(of: standing.id))
        if demand == .pause { return .more }
        answers.resume(standing.id)
        return demand
    }

    mutating func lost(_ count: Int) { downstream.lost(count) }

    consuming func terminate(_ termination: Termination<Downstream.Failure>) {
        lease.dispose()
        downstream.terminate(termination)
    }

    var demand: Demand { downstream.demand == .stop ? .stop : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}
