import Bus

/// The subject of the messages: an object, which is not kept, or any.
struct MessageSubject<Subject: AnyObject>: @unchecked Sendable {
    // Set once; reading a weak reference is safe on any thread, and the result is only asked for its address.
    private weak let subject: Subject?
    private let isAnybody: Bool
    private let lifetime: Lifetime?

    init(_ subject: Subject?) {
        self.subject = subject
        isAnybody = subject == nil
        lifetime = (subject as? any LifetimeOwner)?.lifetime
    }

    /// Whether messages from the subject's address come from the subject.
    var isAlive: Bool { isAnybody || subject != nil }

    /// Observes for as long as the subject lives.
    func observe<Value: Sendable>(
        _ emitter: Emitter<Value, Never>,
        _ register: (Subject?) -> any Disposable
    ) -> (any Disposable)? {
        guard isAlive else {
            emitter.complete()
            return nil
        }
        guard emitter.demand != .stop else { return nil }
        let both = CompoundDisposable()
        both.add(register(subject))
        if let lifetime { both.add(lifetime.ended.subscribe(completed: { emitter.complete() })) }
        return both
    }
}
