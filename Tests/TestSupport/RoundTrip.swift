package import Bus
package import BusTesting

/// A source of the contract check, sent through a bridge. Its events go out by `post` as values, and come back as the
/// bridge's signal.
package struct RoundTrip: Signal {
    package typealias Value = Int
    package typealias Failure = TestFailure
    package typealias Spoken = Event<Int, TestFailure>

    /// A new bridge: where to send, and the resulting signal. Only the source keeps what `post` holds.
    package typealias Bridge = (post: @Sendable (Spoken) -> Void, signal: AnySignal<Spoken, Never>)

    package let source: ProbeSource<Int, TestFailure>
    package let makeBridge: @Sendable () -> Bridge

    package func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == TestFailure {
        let feed = SerialDisposable()
        let (post, signal) = makeBridge()
        // Released before the end is heard, as with a bridge's own source.
        let handle = Signals.using({ feed }, release: { $0.dispose() }) { _ in signal.dematerialize() }
            .subscribe(observer)
        feed.set(source.materialize().subscribe(next: post))
        return handle
    }

    package var chain: Chain { Chain(source: "round trip") }
}

extension ContractCheck where Output == RoundTrip {
    package init(
        bridge name: String,
        except exceptions: [ContractPromise: String] = [:],
        settle: @escaping @Sendable () -> Void = {},
        _ makeBridge: @escaping @Sendable () -> RoundTrip.Bridge
    ) {
        self.init(name, except: exceptions, settle: settle) { RoundTrip(source: $0[0], makeBridge: makeBridge) }
    }
}
