import Bus
import Testing

@Suite("Disposables")
struct DisposableTests {
    @Test func anActionRunsOnce() {
        let log = Log<Int>()
        let disposable = ActionDisposable { log.append(1) }
        #expect(!disposable.isDisposed)
        disposable.dispose()
        disposable.dispose()
        #expect(disposable.isDisposed)
        #expect(log.entries == [1])
    }

    @Test(arguments: 0..<4)
    func aCompoundDisposesInOrderAndLateMembersAtOnce(removed: Int) {
        let log = Log<Int>()
        let compound = CompoundDisposable()
        let tokens = (0..<4).map { number in compound.add(ActionDisposable { log.append(number) }) }
        if let token = tokens[removed] { compound.remove(token) }
        compound.add(ActionDisposable { log.append(4) })
        compound.dispose()
        let kept = (0..<5).filter { $0 != removed }
        #expect(log.entries == kept)
        #expect(compound.add(ActionDisposable { log.append(9) }) == nil)
        #expect(log.entries == kept + [9])
    }

    @Test func aSerialDisposesOfWhatItReplaces() {
        let log = Log<String>()
        let serial = SerialDisposable()
        serial.set(ActionDisposable { log.append("a") })
        serial.set(ActionDisposable { log.append("b") })
        #expect(log.entries == ["a"])
        serial.swap(ActionDisposable { log.append("c") })
        #expect(log.entries == ["a"])
        serial.dispose()
        serial.set(ActionDisposable { log.append("d") })
        #expect(log.entries == ["a", "c", "d"])
    }

    @Test func aScopedOneDisposesWhenReleased() {
        let log = Log<Int>()
        do {
            let scoped = ActionDisposable { log.append(1) }.scoped()
            #expect(!scoped.isDisposed)
        }
        #expect(log.entries == [1])
    }

    @Test func aScopedOneEndsWhatIsStoredInItWhenReleased() {
        let (log, subject) = (Log<Int>(), Subject(of: Int.self))
        do {
            let scoped = ScopedDisposable()
            subject.subscribe(next: { log.append($0) }).store(in: scoped)
            let wrapping = ActionDisposable { log.append(0) }.scoped()
            subject.subscribe(next: { log.append(10 * $0) }).store(in: wrapping)
            subject.send(1)
            #expect(!scoped.isDisposed && !wrapping.isDisposed)
            withExtendedLifetime((scoped, wrapping)) {}
        }
        subject.send(2)
        #expect(log.entries.sorted() == [0, 1, 10])
    }

    @Test func aHandleHasNothingToEndWhenTheSignalHasEnded() {
        struct Broken: Error {}
        let (one, never) = (Signals.from([1]), Signals.never(Int.self))
        let (failing, trigger) = (Signals.fail(Broken(), of: Int.self), Subject(of: Void.self))
        let handles: [any Disposable] = [
            one.prepend(0).subscribe(), one.append(2).subscribe(), one.repeat(2).subscribe(),
            one.concat(one).subscribe(),
            failing.retry(1).catch { _ in one }.subscribe(),
            one.promoteFailure(to: Broken.self).catch { _ in one }.subscribe(),
            one.subscribe(on: ImmediateScheduler()).subscribe(),
            Signals.race([never.eraseToAnySignal(), one.eraseToAnySignal()]).subscribe(),
            one.skip(until: trigger).subscribe(),
        ]
        #expect(handles.map { $0.isDisposed } == handles.map { _ in true })
    }

    @Test func disposingInsideDisposalDoesNotDeadlock() {
        let compound = CompoundDisposable()
        compound.add(ActionDisposable { compound.dispose() })
        compound.dispose()
        #expect(compound.isDisposed)
    }
}
