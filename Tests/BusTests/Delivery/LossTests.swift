import Bus
import BusTesting
import Testing

/// A loss anywhere in a chain is heard at its end, at the place of the missing values.
@Suite("Losses are heard in their place")
struct LossTests {
    /// Sends 1. While it is handled, sends `more` values more, of which `limit` fit. Returns what is heard.
    private func heard<Output: Signal>(
        limit: Int,
        more: Int,
        through build: (Subject<Int, Never>) -> Output
    ) -> [String] where Output.Value == Int {
        let subject = Subject(of: Int.self, limit: limit)
        let log = Log<String>()
        let handle = build(subject).subscribe(
            next: { value in
                log.append("\(value)")
                if value == 1 { for value in 2..<(2 + more) { subject.send(value) } }
            },
            failed: { _ in },
            lost: { log.append("lost \($0)") }
        )
        subject.send(1)
        subject.send(100)
        handle.dispose()
        return log.entries
    }

    private let expected = ["1", "2", "3", "lost 3", "100"]

    @Test func fromASubject() {
        #expect(heard(limit: 2, more: 5) { $0 } == expected)
    }

    @Test func throughTransducers() {
        let log = heard(limit: 2, more: 5) { $0.map { $0 + 1 }.filter { $0 > 0 }.map { $0 - 1 }.take(first: 10) }
        #expect(log == expected)
    }

    @Test func throughErasure() {
        #expect(heard(limit: 2, more: 5) { $0.eraseToAnySignal() } == expected)
    }

    @Test func throughMergeConcatAndFlatMap() {
        #expect(heard(limit: 2, more: 5) { $0.merge(Signals.never(Int.self)) } == expected)
        #expect(heard(limit: 2, more: 5) { $0.concat(Signals.never(Int.self)) } == expected)
        #expect(heard(limit: 2, more: 5) { $0.take(until: Signals.never(Int.self)) } == expected)
        #expect(heard(limit: 2, more: 5) { $0.flatMap { Signals.just($0) } } == expected)
    }

    @Test func throughAHop() {
        let thread = ThreadScheduler(name: "target")
        let gate = Latch()
        thread.schedule { gate.wait() }
        let subject = Subject(of: Int.self, limit: 2)
        let log = Log<String>()
        // Sent from inside this subscriber, so that the subject's own queue overflows but the hop's does not.
        _ = subject.subscribe(next: { value in
            if value == 1 { for value in 2..<7 { subject.send(value) } }
        })
        let handle = subject.deliver(on: thread).subscribe(
            next: { log.append("\($0)") },
            lost: { log.append("lost \($0)") }
        )
        subject.send(1)
        subject.send(100)
        gate.open()
        thread.settle()
        #expect(log.entries == expected)
        handle.dispose()
        subject.complete()
    }

    @Test func anEmitterThatDoesNotPauseLosesAndSaysSo() {
        let log = Log<String>()
        let emitters = Log<Emitter<Int, Never>>()
        let handle = Signals.create(of: Int.self) { emitter in
            emitters.append(emitter)
            return nil
        }
        .subscribe(
            next: { value in
                // A value sent from inside its own callback is queued until the callback returns.
                if value == 0 { for value in 1...1_030 { emitters.entries[0].send(value) } }
                if value > 1_020 { log.append("\(value)") }
            },
            lost: { log.append("lost \($0)") }
        )
        emitters.entries[0].send(0)
        #expect(log.entries == ["1021", "1022", "1023", "1024", "lost 6"])
        handle.dispose()
    }

    @Test(arguments: [Overflow<Never>.pause, .dropNewest, .dropOldest])
    func withoutAnyRoomInLineAllThatWouldWaitIsLost(overflow: Overflow<Never>) {
        let subject = Subject(of: Int.self, limit: 0, overflow: overflow)
        let log = Log<String>()
        let handle = subject.subscribe(
            next: { value in
                log.append("\(value)")
                if value == 0 { for value in 1...3 { subject.send(value) } }
            },
            lost: { log.append("lost \($0)") }
        )
        subject.send(0)
        subject.send(4)
        #expect(log.entries == ["0", "lost 3", "4"])
        handle.dispose()
    }

    @Test func whatIsLostSideBySideInLineIsHeardAtOnce() {
        let subject = Subject<Int, Never>(limit: 2, overflow: .dropOldest)
        let log = Log<String>()
        let handle = subject.subscribe(
            next: { value in
                log.append("\(value)")
                guard value == 0 else { return }
                subject.send(1)
                subject.sendLoss(of: 2)
                // Each replaces the oldest value, which already has a loss before and after it.
                for value in 2...5 { subject.send(value) }
            },
            lost: { log.append("lost \($0)") }
        )
        subject.send(0)
        #expect(log.entries == ["0", "lost 5", "4", "5"])
        handle.dispose()
    }

    @Test func aSequenceThrowsThem() async throws {
        let subject = Subject(of: Int.self, limit: 2)
        _ = subject.subscribe(next: { value in
            if value == 1 { for value in 2..<7 { subject.send(value) } }
        })
        var iterator = subject.values(overflow: .dropNewest).makeAsyncIterator()
        subject.send(1)
        subject.complete()
        for value in 1...3 { #expect(try await iterator.next() == value) }
        await #expect(throws: ReceiveError<Never>.lost(3)) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func whatNoClosureHearsIsCounted() {
        // Other tests also increase the count, and nothing decreases it.
        let before = Subscriptions.unheardLosses
        let subject = Subject(of: Int.self)
        let deaf = subject.subscribe(next: { _ in })
        subject.sendLoss(of: 1_000_000)
        let after = Subscriptions.unheardLosses
        #expect(after - before >= 1_000_000)
        deaf.dispose()
        let listening = subject.subscribe(next: { _ in }, lost: { _ in })
        subject.sendLoss(of: 1_000_000_000)
        #expect(Subscriptions.unheardLosses - after < 1_000_000_000)
        listening.dispose()
    }

    /// A series of consecutive losses, reported one by one.
    private func lose(_ count: Int, in source: ProbeSource<Int, Never>) {
        for _ in 0..<count { source.sendLoss(of: 1) }
    }

    @Test func reportsThatWaitInASwitchJoin() {
        let (outer, inner) = (Subject(of: Int.self), ProbeSource<Int, Never>())
        let calls = Log<Int>()
        let recorder = PausingRecorder(outer.flatMapLatest { _ in inner }.on(lost: { calls.append($0) }), after: 1)
        outer.send(0)
        inner.send(1)
        inner.send(2)
        lose(1_000, in: inner)
        inner.send(3)
        lose(10, in: inner)
        recorder.release(3)
        let values = recorder.values
        #expect(values == [1, 2, 3])
        #expect(calls.entries == [1_000, 10])
    }

    @Test(arguments: ["pair", "list", "pack"])
    func reportsThatWaitInAZipJoinAndKeepTheirPlace(form: String) {
        let (numbers, partners) = (ProbeSource<Int, Never>(), ProbeSource<Int, Never>())
        let zipped: AnySignal<[Int], Never> =
            switch form {
            case "pair": AnySignal(numbers.zip(partners).map { [$0, $1] })
            case "list": AnySignal(Signals.zip([numbers, partners]))
            default: AnySignal(Signals.zip(numbers, partners).map { [$0.0, $0.1] })
            }
        let recorder = PausingRecorder(zipped, after: 1)
        numbers.send(0)
        partners.send(0)
        lose(300, in: numbers)
        numbers.send(301)
        lose(300, in: numbers)
        numbers.send(602)
        for number in 1...602 { partners.send(number) }
        recorder.release(10)
        let (values, lost) = (recorder.values, recorder.lost)
        #expect(values == [[0, 0], [301, 301], [602, 602]])
        #expect(lost == 600)
    }
}
