// Names that users of other libraries type first. The compiler then offers the name that is used here. None of them
// is the name of an operator here, so they cost nothing in correct code.
extension Signal {
    @available(*, unavailable, renamed: "subscribe(next:)", message: "with `failed:` where the signal can fail")
    public func sink(receiveValue: @escaping @Sendable (Value) -> Void) -> any Disposable { FinishedDisposable() }

    @available(*, unavailable, renamed: "subscribe(next:)")
    public func startWithValues(_ next: @escaping @Sendable (Value) -> Void) -> any Disposable { FinishedDisposable() }

    @available(*, unavailable, renamed: "subscribe(next:)")
    public func observeValues(_ next: @escaping @Sendable (Value) -> Void) -> any Disposable { FinishedDisposable() }

    @available(*, unavailable, renamed: "deliver(on:)")
    public func receive(on scheduler: some Scheduler) -> Self { self }

    @available(*, unavailable, renamed: "deliver(on:)")
    public func observe(on scheduler: some Scheduler) -> Self { self }

    @available(*, unavailable, renamed: "deliver(on:)")
    public func observeOn(_ scheduler: some Scheduler) -> Self { self }

    @available(*, unavailable, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: some Scheduler) -> Self { self }

    @available(*, unavailable, renamed: "eraseToAnySignal()")
    public func eraseToAnyPublisher() -> Self { self }

    @available(*, unavailable, renamed: "eraseToAnySignal()")
    public func asObservable() -> Self { self }

    @available(*, unavailable, renamed: "switchToLatest()")
    public func switchLatest() -> Self { self }

    @available(*, unavailable, renamed: "removeDuplicates()")
    public func distinctUntilChanged() -> Self { self }

    @available(*, unavailable, renamed: "removeDuplicates()")
    public func skipRepeats() -> Self { self }

    @available(*, unavailable, renamed: "prepend(_:)")
    public func startWith(_ values: Value...) -> Self { self }

    @available(*, unavailable, renamed: "withLatest(from:)")
    public func withLatestFrom(_ other: some Signal) -> Self { self }

    @available(*, unavailable, renamed: "collect()")
    public func toArray() -> Self { self }

    @available(*, unavailable, renamed: "take(first:)")
    public func prefix(_ count: Int) -> Self { self }

    @available(*, unavailable, renamed: "skip(first:)")
    public func dropFirst(_ count: Int = 1) -> Self { self }

    @available(*, unavailable, renamed: "ignoreValues()")
    public func ignoreElements() -> Self { self }

    @available(*, unavailable, renamed: "promoteFailure(to:)")
    public func setFailureType<NewFailure: Error>(to failure: NewFailure.Type) -> Self { self }

    @available(*, unavailable, renamed: "attemptMap(_:)")
    public func tryMap<Output>(_ transform: @escaping @Sendable (Value) throws -> Output) -> Self { self }

    @available(*, unavailable, renamed: "subscribe(next:failed:completed:)")
    public func sink<End>(
        receiveCompletion: @escaping @Sendable (End) -> Void,
        receiveValue: @escaping @Sendable (Value) -> Void
    ) -> any Disposable { FinishedDisposable() }

    @available(*, unavailable, renamed: "on(next:)")
    public func `do`(onNext: @escaping @Sendable (Value) -> Void) -> Self { self }

    @available(*, unavailable, renamed: "on(next:)")
    public func handleEvents(receiveOutput: @escaping @Sendable (Value) -> Void) -> Self { self }

    @available(*, unavailable, message: "it is flatMap(.concat) here")
    public func concatMap<Inner: Signal>(_ transform: @escaping @Sendable (Value) -> Inner) -> Self { self }

    @available(*, unavailable, message: "it is flatMap(.first) here")
    public func flatMapFirst<Inner: Signal>(_ transform: @escaping @Sendable (Value) -> Inner) -> Self { self }

    @available(*, unavailable, renamed: "replaceError(with:)")
    public func catchAndReturn(_ value: Value) -> Self { self }

    @available(*, unavailable, renamed: "replaceError(with:)")
    public func catchErrorJustReturn(_ value: Value) -> Self { self }
}

extension SubjectProtocol {
    @available(*, unavailable, renamed: "send(_:)")
    public func onNext(_ value: Value) {}

    @available(*, unavailable, renamed: "fail(_:)")
    public func onError(_ failure: Failure) {}

    @available(*, unavailable, renamed: "complete()")
    public func onCompleted() {}

    @available(*, unavailable, renamed: "complete()")
    public func sendCompleted() {}
}

extension Disposable {
    @available(*, unavailable, renamed: "store(in:)")
    public func disposed(by owner: ScopedDisposable) {}
}

// A name that is made at run time. Without these the compiler says that text is no `TopicName`, or fails.
extension Topic {
    @_disfavoredOverload
    @available(*, unavailable, message: "text from outside may be no name: try Topic(checking: name)")
    public init(_ name: String, keeping retention: TopicRetention = .nothing) {
        self.init("unavailable", keeping: retention)
    }
}

extension TopicPattern {
    @_disfavoredOverload
    @available(*, unavailable, message: "text from outside may be no pattern: try TopicPattern(checking: text)")
    public init(_ text: String) {
        self.init("unavailable")
    }
}
