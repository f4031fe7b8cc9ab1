extension Signal {
    /// The same signal under a name: its ``Chain`` reads `[name]` instead of listing its source and operators.
    ///
    /// ```
    /// self           --1--2--3--|
    /// named("sensor") --1--2--3--|
    /// ```
    ///
    /// Among the ``Subscriptions``, a name makes a long chain, or one that others build on, easier to find. An event
    /// costs nothing more.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameters:
    ///   - name: replaces the description of the chain so far, in brackets.
    ///   - fileID: where the name is given, for ``Chain/location``.
    ///   - line: the same.
    @inlinable
    @inline(__always)
    public consuming func named(
        _ name: String,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> some Signal<Value, Failure> {
        NamedSignal(upstream: self, name: name, location: CodeLocation(fileID: fileID, line: line))
    }
}

@frozen
@usableFromInline
struct NamedSignal<Upstream: Signal>: Signal {
    @usableFromInline typealias Value = Upstream.Value
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let name: String
    @usableFromInline let location: CodeLocation

    @inlinable
    init(upstream: Upstream, name: String, location: CodeLocation) {
        self.upstream = upstream
        self.name = name
        self.location = location
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(observer)
    }

    @usableFromInline static var chain: Chain { Upstream.chain }
    @usableFromInline var chain: Chain { Chain(source: name, location: location) }
}
