import Synchronization

/// Captured by an observer, and released with it.
final class Canary: Sendable {
    private let cage: Cage

    init(_ cage: Cage) {
        self.cage = cage
    }

    deinit {
        cage.open()
    }

    func sing() {}
}

/// Reports whether a canary was released.
///
/// It is not a weak reference: the runtime's memory for one looks leaked for as long as its object lives.
final class Cage: Sendable {
    private let isOpen = Atomic<Bool>(false)

    var isEmpty: Bool { isOpen.load(ordering: .acquiring) }

    fileprivate func open() { isOpen.store(true, ordering: .releasing) }
}
