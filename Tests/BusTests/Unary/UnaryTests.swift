import Bus
import BusTesting
import Testing

@Suite("Every operator with one source")
struct UnaryTests {
    @Test(arguments: UnaryCase.all)
    func makesOfEachInputWhatIsExpected(_ operation: UnaryCase) {
        for input in UnaryCase.inputs {
            let signal = operation.build(UnaryCase.source(input))
            let first = Recorder(signal)
            #expect(UnaryCase.written(first.events) == operation.expected[input], "of \(input)")
            #expect(first.violations == [])
            // Nothing is carried over from one subscription to the next.
            #expect(UnaryCase.written(Recorder(signal).events) == operation.expected[input], "of \(input), again")
        }
    }

    @Test(arguments: UnaryCase.all)
    func isNamedInItsChain(_ operation: UnaryCase) {
        let operators = operation.build(UnaryCase.source("|")).chain.operators.filter { $0 != "printed" }
        #expect(operators.joined(separator: " → ").hasSuffix(operation.description))
    }

    @Test(arguments: UnaryCase.all)
    func hearsNothingAfterDisposalInsideACallback(_ operation: UnaryCase) {
        for input in ["1 |", "1 2 3 4 |"] {
            let source = ProbeSource<Int, TestFailure>()
            let subscription = SerialDisposable()
            let heard = Log<String>()
            subscription.set(
                operation.build(source.eraseToAnySignal()).subscribe(
                    next: { value in
                        heard.append(value)
                        subscription.dispose()
                    },
                    failed: { heard.append($0.description) },
                    completed: { heard.append("|") }
                )
            )
            play(input, into: source)
            // An operator that sends a value is disposed of in its callback and sends nothing more. The others send
            // only their end.
            let end = operation.expected[input] ?? ""
            let values = Recorder(operation.build(UnaryCase.source(input))).values
            #expect(heard.entries == (values.first.map { [$0] } ?? [end]), "of \(input)")
            #expect(source.liveSubscriptions == 0)
        }
    }

    @Test(arguments: UnaryCase.all)
    func confirmsAStopWithNoFurtherValue(_ operation: UnaryCase) {
        for input in ["1 |", "1 2 3 4 |"] {
            let source = ProbeSource<Int, TestFailure>()
            let recorder = Recorder(operation.build(source.eraseToAnySignal()), onNext: { _ in .stop })
            play(input, into: source)
            #expect(recorder.values.count <= 1)
            #expect(recorder.hasEnded)
            if let first = recorder.values.first { #expect(recorder.events == [.next(first), .completed]) }
            #expect(recorder.violations == [])
        }
    }

    @Test(arguments: UnaryCase.all)
    func anEndThatComesWhileACallbackRunsFollowsIt(_ operation: UnaryCase) {
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(
            operation.build(source.eraseToAnySignal()),
            onNext: { _ in
                source.complete()
                source.send(9)
                return .more
            }
        )
        play("1 2 3 4 |", into: source)
        #expect(recorder.hasEnded)
        #expect(recorder.violations == [])
        #expect(source.liveSubscriptions == 0)
    }

    @Test(arguments: UnaryCase.all)
    func passesOnWhatWasLostAbove(_ operation: UnaryCase) {
        let recorder = Recorder(operation.build(LossySource().eraseToAnySignal()))
        #expect(recorder.lost == 7)
        #expect(recorder.hasEnded)
    }

    @Test(arguments: UnaryCase.all)
    func asksForNothingOnceItsObserverWantsNothing(_ operation: UnaryCase) {
        // After a chain that was stopped, an operator must report that, even if it drops its values.
        let asked = Log<Int>()
        let endless = Signals.from(sequence(first: 1) { $0 + 1 })
            .on { asked.append($0) }
            .promoteFailure(to: TestFailure.self)
            .eraseToAnySignal()
        let trigger = Subject(of: Void.self)
        let source = endless.on { if $0 == 50 { trigger.send(()) } }.eraseToAnySignal()
        let recorder = Recorder(operation.build(source).take(until: trigger))
        #expect(recorder.hasEnded)
        #expect(asked.entries.count <= 51)
    }

    @Test(arguments: UnaryCase.all)
    func saysThatNothingMoreIsWantedAfterItHasStopped(_ operation: UnaryCase) {
        // An operator in between may have asked for the demand and not kept the answer.
        let contradictions = Log<Int>()
        let source = AskingSource { contradictions.append($0) }
        #expect(Recorder(operation.build(source.eraseToAnySignal())).hasEnded)
        #expect(contradictions.entries == [])
    }

    private func play(_ events: String, into source: ProbeSource<Int, TestFailure>) {
        for event in events.split(separator: " ") {
            if let value = Int(event) { source.send(value) } else { source.complete() }
        }
    }
}

extension Signal {
    /// Passes each value to a closure.
    fileprivate func on(_ next: @escaping @Sendable (Value) -> Void) -> some Signal<Value, Failure> {
        map { value in
            next(value)
            return value
        }
    }
}

/// Loses seven values before its first.
private struct LossySource: Signal {
    typealias Value = Int
    typealias Failure = TestFailure

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == TestFailure {
        observer.lost(7)
        for value in 1...3 where observer.demand == .more {
            if observer.next(value) == .stop { break }
        }
        observer.terminate(.completed)
        return FinishedDisposable()
    }
}

/// Asks for the demand after the answer that nothing more is wanted. Reports the value after which the demand was
/// different.
private struct AskingSource: Signal {
    typealias Value = Int
    typealias Failure = TestFailure
    let contradicted: @Sendable (Int) -> Void

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == TestFailure {
        for value in 1...9 where observer.next(value) == .stop {
            if observer.demand != .stop { contradicted(value) }
            break
        }
        observer.terminate(.completed)
        return FinishedDisposable()
    }
}
