public import Synchronization

/// The contenders of a race, its winner, and the handles to end them: the handle of the whole.
@usableFromInline
final class RaceHandles: Disposable {
    /// Zero while nobody has won; contenders are numbered from one.
    @usableFromInline let winner = Atomic<Int>(0)
    @usableFromInline let isOver = Atomic<Bool>(false)
    private let handles = Lock<[Int: any Disposable]>([:])

    @usableFromInline
    init() {}

    @inlinable
    var isDecided: Bool { winner.load(ordering: .acquiring) != 0 }

    /// Whether `contender` is the first to ask. All others are released before it gets the answer.
    @usableFromInline
    func win(_ contender: Int) -> Bool {
        guard winner.compareExchange(expected: 0, desired: contender, ordering: .acquiringAndReleasing).exchanged else {
            return false
        }
        release(allBut: contender)
        return true
    }

    /// Keeps the handle of a contender, or ends it when the contender has lost.
    @usableFromInline
    func add(_ handle: any Disposable, for contender: Int) {
        if handle.isDisposed { return }
        let isWanted = handles.withLock { handles -> Bool in
            let winner = winner.load(ordering: .acquiring)
            guard !isDisposed, winner == 0 || winner == contender else { return false }
            handles[contender] = handle
            return true
        }
        if !isWanted { handle.dispose() }
    }

    @usableFromInline
    func dispose() {
        isOver.store(true, ordering: .sequentiallyConsistent)
        release(allBut: 0)
    }

    private func release(allBut contender: Int) {
        let released = handles.withLock { handles -> [Int: any Disposable] in
            var released = handles
            handles = [:]
            if let winner = released.removeValue(forKey: contender) { handles[contender] = winner }
            return released
        }
        for (_, handle) in released.sorted(by: { $0.key < $1.key }) { handle.dispose() }
    }

    @usableFromInline
    var isDisposed: Bool { isOver.load(ordering: .acquiring) }
}
