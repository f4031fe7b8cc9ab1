import Testing

/// Names that users of RxSwift, Combine and ReactiveSwift type first.
@Suite("Names of other libraries")
struct NamesElsewhereTests {
    private static let beginning = """
        import Bus
        let numbers = Signals.from([1, 2]), lists = Signals.just(numbers), subject = Subject(of: Int.self, failure: CancellationError.self)
        let worker = ThreadScheduler(name: "worker"), owner = ScopedDisposable()

        """

    /// A line with the name elsewhere, and the name here.
    private static let names = [
        ("_ = numbers.sink { _ in }", "subscribe(next:)"),
        ("_ = numbers.sink(receiveValue: { _ in })", "subscribe(next:)"),
        (
            "_ = numbers.sink(receiveCompletion: { (_: Int) in }, receiveValue: { _ in })",
            "subscribe(next:failed:completed:)"
        ),
        ("_ = numbers.startWithValues { _ in }", "subscribe(next:)"),
        ("_ = numbers.observeValues { _ in }", "subscribe(next:)"),
        ("_ = numbers.receive(on: worker)", "deliver(on:)"),
        ("_ = numbers.observe(on: worker)", "deliver(on:)"),
        ("_ = numbers.observeOn(worker)", "deliver(on:)"),
        ("_ = numbers.subscribeOn(worker)", "subscribe(on:)"),
        ("_ = numbers.eraseToAnyPublisher()", "eraseToAnySignal()"),
        ("_ = numbers.asObservable()", "eraseToAnySignal()"),
        ("_ = lists.switchLatest()", "switchToLatest()"),
        ("_ = numbers.distinctUntilChanged()", "removeDuplicates()"),
        ("_ = numbers.skipRepeats()", "removeDuplicates()"),
        ("_ = numbers.startWith(0)", "prepend(_:)"),
        ("_ = numbers.withLatestFrom(numbers)", "withLatest(from:)"),
        ("_ = numbers.toArray()", "collect()"),
        ("_ = numbers.prefix(1)", "take(first:)"),
        ("_ = numbers.dropFirst()", "skip(first:)"),
        ("_ = numbers.ignoreElements()", "ignoreValues()"),
        ("_ = numbers.setFailureType(to: CancellationError.self)", "promoteFailure(to:)"),
        ("_ = numbers.tryMap { $0 + 1 }", "attemptMap(_:)"),
        ("_ = numbers.do(onNext: { _ in })", "on(next:)"),
        ("_ = numbers.handleEvents(receiveOutput: { _ in })", "on(next:)"),
        ("_ = numbers.concatMap { Signals.just($0) }", "flatMap(.concat)"),
        ("_ = numbers.flatMapFirst { Signals.just($0) }", "flatMap(.first)"),
        ("_ = numbers.catchAndReturn(1)", "replaceError(with:)"),
        ("_ = numbers.catchErrorJustReturn(1)", "replaceError(with:)"),
        ("subject.onNext(1)", "send(_:)"),
        ("subject.onError(CancellationError())", "fail(_:)"),
        ("subject.onCompleted()", "complete()"),
        ("subject.sendCompleted()", "complete()"),
        ("numbers.subscribe(next: { _ in }).disposed(by: owner)", "store(in:)"),
        ("NotificationBus().post(5, to: Topic(\"stock.\\(owner)\"))", "Topic(checking: name)"),
        ("_ = Topic<Int>(\"stock.\\(owner)\", keeping: .last)", "Topic(checking: name)"),
        (
            "_ = NotificationBus().envelopes(matching: TopicPattern(\"stock.\\(owner)\"))",
            "TopicPattern(checking: text)"
        ),
    ]

    @Test("the compiler refuses each, and offers the name that is used here")
    func offered() throws {
        let sample = Self.beginning + Self.names.map(\.0).joined(separator: "\n") + "\n"
        let errors = try SampleCompiler.typecheck(sample).split(separator: "\n").filter { $0.contains(": error: ") }
        let first = Self.beginning.count { $0 == "\n" } + 1
        for (number, (line, name)) in Self.names.enumerated() {
            let place = "main.swift:\(first + number):"
            #expect(errors.contains { $0.contains(place) && $0.contains(name) }, "\(line)")
        }
        #expect(errors.count == Self.names.count, "\(errors)")
    }
}
