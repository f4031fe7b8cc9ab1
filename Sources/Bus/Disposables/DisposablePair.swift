/// Two things that are disposed of together, the first one first. Disposed of when both are.
@frozen
@usableFromInline
package struct DisposablePair: Disposable {
    private let first: any Disposable
    private let second: any Disposable

    @usableFromInline
    package init(_ first: any Disposable, _ second: any Disposable) {
        self.first = first
        self.second = second
    }

    @usableFromInline
    package func dispose() {
        first.dispose()
        second.dispose()
    }

    @usableFromInline package var isDisposed: Bool { first.isDisposed && second.isDisposed }
}
