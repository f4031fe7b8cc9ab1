import Bus
import BusTesting
import Testing

@Suite("Operators that move between threads keep the delivery contract")
struct ThreadsContractTests {
    @Test func deliverOnConcurrent() {
        let pool = ConcurrentScheduler(name: "contract", threads: 3)
        let check = ContractCheck("deliver(on: pool)", settle: { pool.settle(threads: 3) }) { sources in
            sources[0].deliver(on: pool, limit: 2_048)
        }
        #expect(check.violations() == [])
    }

    @Test func deliverOnAnActor() async {
        let scheduler = ActorScheduler(Stage())
        let check = ContractCheck("deliver(on: actor)", settle: { scheduler.settle() }) {
            $0[0].deliver(on: scheduler, limit: 2_048)
        }
        let violations = await offThePool { check.violations() }
        #expect(violations == [])
    }

    @Test func subscribeOnImmediate() {
        let check = ContractCheck("subscribe(on: immediate)") { $0[0].subscribe(on: ImmediateScheduler()) }
        #expect(check.violations() == [])
    }

    @Test func subscribeOnThread() {
        let thread = ThreadScheduler(name: "contract")
        // The subscription is made before the next line sends, so the value is heard. Disposal is still done on the
        // scheduler.
        let check = ContractCheck("subscribe(on: thread)", settle: { thread.settle() }) { sources in
            SettlingSignal(upstream: sources[0].subscribe(on: thread)) { thread.settle() }
        }
        #expect(check.violations() == [])
    }

    private actor Stage {}
}

/// Returns from subscribing when `settle` has returned.
private struct SettlingSignal<Upstream: Signal>: Signal {
    typealias Value = Upstream.Value
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    let settle: @Sendable () -> Void

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let handle = SettlingDisposable(wrapped: upstream.subscribe(observer), settle: settle)
        settle()
        return handle
    }

    var chain: Chain { upstream.chain }
}

private struct SettlingDisposable: Disposable {
    let wrapped: any Disposable
    let settle: @Sendable () -> Void

    func dispose() {
        wrapped.dispose()
        settle()
    }

    var isDisposed: Bool { wrapped.isDisposed }
}
