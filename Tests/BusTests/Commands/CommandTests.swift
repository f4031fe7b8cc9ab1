import Bus
import BusTesting
import Testing

@Suite("Command")
struct CommandTests {
    typealias Source = ProbeSource<Int, TestFailure>

    @Test func whatTheWorkSaysIsHeardByTheCommandAndTheExecution() {
        let command = Command(work: { (number: Int) in Signals.from([number, number * 2]) })
        let values = Recorder(command.values)
        let execution = command.execute(4)
        #expect(values.values == [4, 8])
        // A late subscriber hears all of it.
        #expect(Recorder(execution).events == [.next(4), .next(8), .completed])
    }

    @Test func executingAndEnabledFlipAtOnceAndBackBeforeTheEndIsHeard() {
        let source = Source()
        let command = Command(work: { (_: Void) in source })
        let log = Log<String>()
        _ = command.isExecuting.values.subscribe(next: { log.append("executing \($0)") })
        _ = command.isEnabled.values.subscribe(next: { log.append("enabled \($0)") })
        let execution = command.execute(())
        #expect(command.isExecuting.value)
        #expect(!command.isEnabled.value)
        _ = execution.subscribe(next: { log.append("\($0)") }, failed: { _ in }, completed: { log.append("end") })
        source.send(1)
        source.complete()
        #expect(
            log.entries == [
                "executing false", "enabled true", "executing true", "enabled false", "1", "executing false",
                "enabled true", "end",
            ]
        )
    }

    @Test func theStateHasFlippedBeforeTheWorkBegins() {
        let seen = Log<Bool>()
        let command = MutableProperty<Command<Int, Int, Never>?>(nil)
        command.value = Command(work: { number in
            Signals.deferred {
                if let command = command.value {
                    seen.append(command.isExecuting.value)
                    seen.append(command.isEnabled.value)
                }
                return Signals.just(number)
            }
        })
        command.value?.execute(1)
        command.value = nil
        #expect(seen.entries == [true, false])
    }

    @Test func aDisabledCommandRefusesWithAnErrorOfItsOwn() {
        let allowed = MutableProperty(false)
        let source = Source()
        let command = Command(enabled: allowed.values, work: { (_: Int) in source })
        let errors = Recorder(command.errors)
        let executions = Recorder(command.executions.map { _ in 1 })
        let refused = command.execute(1)
        #expect(Recorder(refused).events == [.failed(.disabled)])
        #expect(refused.isDisposed)
        #expect(source.subscriptions == 0)
        #expect(errors.events == [])
        #expect(executions.events == [])
        allowed.value = true
        #expect(command.isEnabled.value)
        command.execute(1)
        #expect(source.subscriptions == 1)
    }

    @Test func untilItsSignalHasSpokenTheCommandIsEnabledAndTheLastWordStays() {
        let allowed = ProbeSource<Bool, Never>()
        let command = Command(enabled: allowed, work: { (_: Int) in Signals.just(1) })
        #expect(command.isEnabled.value)
        allowed.send(false)
        allowed.complete()
        #expect(!command.isEnabled.value)
    }

    @Test func oneAtATimeUnlessItIsConcurrent() {
        let source = Source()
        let single = Command(work: { (_: Int) in source })
        single.execute(1)
        #expect(Recorder(single.execute(2)).events == [.failed(.disabled)])
        #expect(source.subscriptions == 1)

        let concurrent = Command(isConcurrent: true, work: { (_: Int) in source })
        let executing = Recorder(concurrent.isExecuting.values)
        concurrent.execute(1)
        let second = concurrent.execute(2)
        #expect(source.subscriptions == 3)
        second.dispose()
        #expect(concurrent.isExecuting.value)
        source.complete()
        #expect(executing.values == [false, true, false])
    }

    @Test func failuresAreValuesOfErrorsAndEndTheExecution() {
        let source = Source()
        let command = Command(work: { (_: Int) in source })
        let errors = Recorder(command.errors)
        let values = Recorder(command.values)
        let execution = Recorder(command.execute(1))
        source.send(1)
        source.fail("broken")
        #expect(execution.events == [.next(1), .failed(.failed("broken"))])
        #expect(errors.events == [.next("broken")])
        #expect(values.events == [.next(1)])
        #expect(command.isEnabled.value)
    }

    @Test func workThatNeverEndsKeepsItExecutingUntilTheExecutionIsDisposedOf() {
        let source = Source()
        let command = Command(work: { (_: Int) in source })
        let execution = command.execute(1)
        let recorder = Recorder(execution)
        source.send(1)
        #expect(command.isExecuting.value)
        execution.dispose()
        execution.dispose()
        source.send(2)
        #expect(!command.isExecuting.value)
        #expect(source.liveSubscriptions == 0)
        #expect(recorder.events == [.next(1), .completed])
    }

    @Test func disposingOfASubscriptionToAnExecutionDoesNotEndTheWork() {
        let source = Source()
        let command = Command(work: { (_: Int) in source })
        Recorder(command.execute(1)).dispose()
        #expect(source.liveSubscriptions == 1)
        #expect(command.isExecuting.value)
    }

    @Test func workWhoseSourceIsDroppedHasEnded() {
        var source: Source? = Source()
        let held = MutableProperty(source)
        let command = Command(work: { (_: Int) in
            held.swap(nil).map { AnySignal($0) } ?? AnySignal(Signals.never(Int.self, failure: TestFailure.self))
        })
        let execution = command.execute(1)
        #expect(command.isExecuting.value)
        source = nil
        #expect(!command.isExecuting.value)
        #expect(execution.isDisposed)
    }

    @Test func whoSubscribesAfterExecutingHearsNothingOfWorkThatIsOver() {
        let command = Command(work: { (number: Int) in Signals.just(number) })
        command.execute(1)
        let values = Recorder(command.values)
        let executions = Log<Int>()
        _ = command.executions.subscribe(next: { execution in
            _ = execution.subscribe(next: { executions.append($0) }, failed: { _ in })
        })
        command.execute(2)
        #expect(values.values == [2])
        #expect(executions.entries == [2])
    }

    @Test func aCompletionMayExecuteAgain() {
        let command = Command(work: { (number: Int) in Signals.just(number) })
        let values = Recorder(command.values)
        let refusals = Log<Int>()
        _ = command.execute(1).subscribe(
            next: { _ in },
            failed: { _ in },
            completed: {
                _ = command.execute(2).subscribe(next: { _ in }, failed: { _ in refusals.append(2) })
            }
        )
        #expect(values.values == [1, 2])
        #expect(refusals.entries == [])
    }

    @Test func everythingCompletesWhenItIsDroppedAndExecutionsGoOn() {
        let source = Source()
        let allowed = ProbeSource<Bool, Never>()
        var command: Command<Int, Int, TestFailure>? = Command(enabled: allowed, work: { (_: Int) in source })
        let values = command.map { Recorder($0.values) }
        let errors = command.map { Recorder($0.errors) }
        let isEnabled = command.map { Recorder($0.isEnabled.values) }
        let isExecuting = command.map { Recorder($0.isExecuting.values) }
        let execution = command.map { Recorder($0.execute(1)) }
        weak let watched = command
        command = nil
        #expect(watched == nil)
        #expect(allowed.liveSubscriptions == 0)
        #expect(values?.events == [.completed])
        #expect(errors?.events == [.completed])
        #expect(isEnabled?.events == [.next(true), .next(false), .completed])
        #expect(isExecuting?.events == [.next(false), .next(true), .completed])
        source.send(7)
        source.complete()
        #expect(execution?.events == [.next(7), .completed])
    }

    @Test func aCommandThatIsEnabledByItsOwnStateIsNoCycle() {
        let gate = Subject(of: Bool.self)
        var command: Command<Int, Int, Never>? = Command(enabled: gate, work: { Signals.just($0) })
        _ = command?.isExecuting.values.subscribe(next: { gate.send(!$0) })
        command?.execute(1)
        weak let watched = command
        command = nil
        #expect(watched == nil)
    }

    @Test func twoThreadsThatExecuteAtOnceAreOneExecution() {
        for _ in 0..<200 {
            let source = Source()
            let command = Command(work: { (_: Int) in source })
            let refused = Log<Int>()
            let group = Threads()
            for index in 0..<2 {
                group.start {
                    let execution = command.execute(index)
                    if execution.isDisposed { refused.append(index) }
                }
            }
            group.wait()
            #expect(source.subscriptions == 1)
            #expect(refused.entries.count == 1)
            source.complete()
            #expect(command.isEnabled.value)
        }
    }

    @Test func manyThreadsExecuteAConcurrentCommand() {
        let command = Command(isConcurrent: true, work: { (number: Int) in Signals.from(0..<number) })
        let values = Recorder(command.values)
        let executing = Recorder(command.isExecuting.values)
        let group = Threads()
        for _ in 0..<3 { group.start { for _ in 0..<200 { command.execute(3) } } }
        group.wait()
        #expect(values.values.count == 1_800)
        #expect(values.violations == [])
        #expect(executing.violations == [])
        #expect(!command.isExecuting.value)
    }

    @Test func itsErrorsAreForPeople() {
        let refused = CommandError<TestFailure>.disabled
        #expect("\(refused)".contains("wait until its isEnabled is true"))
        #expect("\(CommandError<TestFailure>.failed("no disk"))".hasPrefix("the command's work failed: "))
    }
}
