/// Disposes of several things at once, in the order they were added.
///
/// A member that is added after the disposal is disposed of at once. Nothing is disposed of under a lock.
public final class CompoundDisposable: Disposable, @unchecked Sendable {
    /// Names one member, so that it can be removed in constant time.
    @frozen
    public struct Token: Hashable, Sendable {
        @usableFromInline let serial: UInt64

        @usableFromInline
        init(serial: UInt64) {
            self.serial = serial
        }
    }

    private struct State {
        /// The member that was added first. Most have only this one, and need no table.
        var first: (serial: UInt64, member: any Disposable)?
        /// Those that were added while there was another.
        var others: [UInt64: any Disposable] = [:]
        var nextSerial: UInt64 = 0
    }

    // In the object itself: every subscription has one. The word guards the rest; hence no exclusivity checks.
    private let word = LockWord()
    @exclusivity(unchecked) private var wasDisposed = false
    @exclusivity(unchecked) private var state = State()

    /// - Parameter body: gets `state`.
    private func locked<Result>(_ body: (inout State) -> Result) -> Result {
        word.lock()
        defer { word.unlock() }
        return body(&state)
    }

    /// Has no members. Releasing it disposes of none of those that are added.
    public init() {}

    /// Adds a member.
    ///
    /// - Returns: the token that removes it. Nil when there is nothing to remember: the member is finished, or this
    ///   was disposed of and so the member was too.
    @discardableResult
    public func add(_ member: any Disposable) -> Token? {
        if member.isDisposed { return nil }
        let token = locked { state -> Token? in
            guard !wasDisposed else { return nil }
            let serial = state.nextSerial
            state.nextSerial += 1
            if state.first == nil, state.others.isEmpty {
                state.first = (serial, member)
            } else {
                state.others[serial] = member
            }
            return Token(serial: serial)
        }
        if token == nil { member.dispose() }
        return token
    }

    /// Forgets a member without disposing of it.
    public func remove(_ token: Token) {
        // The member is released after the lock is: its deinitialiser may run any code.
        _ = locked { state -> (any Disposable)? in
            guard let first = state.first, first.serial == token.serial else {
                return state.others.removeValue(forKey: token.serial)
            }
            state.first = nil
            return first.member
        }
    }

    public func dispose() {
        let (first, others) = locked { state in
            wasDisposed = true
            defer { (state.first, state.others) = (nil, [:]) }
            return (state.first?.member, state.others)
        }
        first?.dispose()
        for (_, member) in others.sorted(by: { $0.key < $1.key }) { member.dispose() }
    }

    public var isDisposed: Bool { locked { _ in wasDisposed } }
}

extension Disposable {
    /// Keeps this handle with others, to be disposed of with them. Releasing the owner ends nothing; see the other
    /// `store(in:)` for one that does.
    ///
    /// ```swift
    /// import Bus
    ///
    /// let subscriptions = CompoundDisposable()
    /// Signals.from(1...3).subscribe(next: { print($0) }).store(in: subscriptions)
    /// subscriptions.dispose()
    /// ```
    public func store(in owner: CompoundDisposable) { owner.add(self) }

    /// Keeps this handle until the owner is released or disposed of, which ends it.
    public func store(in owner: ScopedDisposable) { owner.add(self) }
}
