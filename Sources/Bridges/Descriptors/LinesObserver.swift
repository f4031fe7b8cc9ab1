public import Bus

/// The source's way in. When it is dropped without an end, nothing can come any more.
@frozen
@usableFromInline
struct LinesObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable where Downstream.Value: LineText {
    @usableFromInline typealias Value = [UInt8]
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let delivery: LineDelivery<Downstream>

    @inlinable
    init(_ delivery: LineDelivery<Downstream>) {
        self.delivery = delivery
    }

    @inlinable
    deinit {
        delivery.end(nil)
    }

    @inlinable
    mutating func next(_ bytes: [UInt8]) -> Demand { delivery.next(bytes) }

    @inlinable
    mutating func lost(_ count: Int) { delivery.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { delivery.end(termination) }

    @inlinable
    var demand: Demand { delivery.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { delivery.whenReady(resume) }
}

/// Ends a subscription to `lines`.
@usableFromInline
struct LinesHandle<Downstream: Observer & ~Copyable>: Disposable where Downstream.Value: LineText {
    private let delivery: LineDelivery<Downstream>
    private let source: any Disposable

    @usableFromInline
    init(_ delivery: LineDelivery<Downstream>, _ source: any Disposable) {
        self.delivery = delivery
        self.source = source
    }

    @usableFromInline
    func dispose() {
        delivery.dispose()
        source.dispose()
    }

    @usableFromInline
    var isDisposed: Bool { source.isDisposed && delivery.isOver }
}
