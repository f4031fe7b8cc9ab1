/// A signal that subscribes to its source again, as often as a rule asks for.
@frozen
@usableFromInline
struct ResubscribingSignal<Upstream: Signal, Rule: RoundRule>: Signal where Rule.InputFailure == Upstream.Failure {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Rule.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let rule: Rule

    @inlinable
    init(upstream: Upstream, rule: Rule) {
        self.upstream = upstream
        self.rule = rule
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard rule.wantsRound else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let upstream = upstream
        let rounds = Rounds<Rule, Downstream>(rule) { upstream.subscribe($0) }
        rounds.start(observer)
        return rounds.gate
    }

    @usableFromInline var chain: Chain { upstream.chain.appending(rule.name) }
}
