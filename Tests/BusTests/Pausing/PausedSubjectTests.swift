import Bus
import BusTesting
import Testing

/// Subjects with subscribers that pause.
@Suite("Subjects with subscribers that pause")
struct PausedSubjectTests {
    /// The three kinds, which are tested in the same way.
    enum Kind: Sendable, CaseIterable {
        case plain, current, replay

        var subject: any SubjectProtocol<Int, Never> {
            switch self {
            case .plain: Subject(of: Int.self)
            case .current: CurrentValueSubject(0)
            case .replay: ReplaySubject(of: Int.self, capacity: 2)
            }
        }
    }

    @Test("it is ready when the last of its subscribers has room", arguments: Kind.allCases)
    func lastOfTwo(kind: Kind) {
        let subject = kind.subject
        // Each of them hears a current value.
        let recorders = (0..<2).map { _ in PausingRecorder(subject.eraseToAnySignal(), after: kind == .current ? 2 : 1)
        }
        #expect(subject.demand == .more)
        subject.send(1)
        #expect(subject.demand == .pause)
        let calls = Log<Int>()
        #expect(subject.whenReady { calls.append(1) } == .pause)
        recorders[0].release(1)
        #expect(calls.entries == [])
        #expect(subject.demand == .pause)
        recorders[1].release(1)
        #expect(calls.entries == [1])
        #expect(subject.demand == .more)
        #expect(subject.whenReady { calls.append(2) } == .more)
        subject.send(2)
        #expect(subject.demand == .pause)
        #expect(subject.whenReady { calls.append(3) } == .pause)
        recorders[0].release()
        recorders[1].release()
        #expect(calls.entries == [1, 3])
        subject.complete()
        #expect(subject.demand == .stop)
        #expect(subject.whenReady { calls.append(4) } == .stop)
        for recorder in recorders { #expect(recorder.hasEnded) }
    }

    @Test(
        "a value sent while another is heard is queued, and until it is heard the subject pauses",
        arguments: Kind.allCases
    )
    func line(kind: Kind) {
        let subject = kind.subject
        let demands = Log<Demand>()
        let handle = subject.eraseToAnySignal().subscribe(next: { value in
            guard value == 1 else { return }
            subject.send(2)
            demands.append(subject.demand)
        })
        subject.send(1)
        #expect(demands.entries == [.pause])
        #expect(subject.demand == .more)
        handle.dispose()
    }

    @Test("a task that sends when there is room loses nothing to a slow subscriber")
    func sendsWhenReady() async {
        let subject = Subject(of: Int.self)
        let (heard, lost, done) = (Log<Int>(), Log<Int>(), Latch())
        let subscription = subject.deliver(on: ThreadScheduler(name: "slow"), limit: 4)
            .subscribe(next: { heard.append($0) }, completed: { done.open() }, lost: { lost.append($0) })
        var sent = 0
        for number in 0..<2000 where await subject.sendWhenReady(number) { sent += 1 }
        subject.complete()
        await offThePool { done.wait() }
        #expect(sent == 2000)
        #expect(heard.entries == Array(0..<2000))
        #expect(lost.entries == [])
        let afterTheEnd = await subject.sendWhenReady(1)
        #expect(!afterTheEnd)
        subscription.dispose()
    }

    @Test("a task that waits for room to send resumes when it is cancelled, and has sent nothing")
    func sendingIsCancelled() async {
        let subject = Subject(of: Int.self)
        let recorder = PausingRecorder(subject, after: 1)
        subject.send(1)
        let task = Task { await subject.sendWhenReady(2) }
        task.cancel()
        let wasSent = await task.value
        #expect(!wasSent)
        recorder.release()
        #expect(recorder.values == [1])
    }

    @Test("a paused subscriber that leaves counts as ready", arguments: Kind.allCases)
    func leaves(kind: Kind) {
        let subject = kind.subject
        let recorders = (0..<2).map { _ in PausingRecorder(subject.eraseToAnySignal(), after: kind == .current ? 2 : 1)
        }
        subject.send(1)
        let calls = Log<Int>()
        #expect(subject.whenReady { calls.append(1) } == .pause)
        recorders[0].dispose()
        #expect(calls.entries == [])
        recorders[1].dispose()
        #expect(calls.entries == [1])
        #expect(subject.demand == .more)
    }

    @Test("a subscriber that pauses from the beginning counts, too", arguments: Kind.allCases)
    func latecomer(kind: Kind) {
        let subject = kind.subject
        subject.send(1)
        // If there is a value for a new subscriber, it uses up the room.
        let recorder = PausingRecorder(subject.eraseToAnySignal(), after: 1)
        #expect(subject.demand == (kind == .plain ? .more : .pause))
        let calls = Log<Int>()
        if kind != .plain {
            #expect(subject.whenReady { calls.append(1) } == .pause)
            recorder.release(1)
            #expect(calls.entries == [1])
        }
        #expect(subject.demand == .more)
        recorder.release()
        subject.send(2)
        #expect(recorder.values == (kind == .plain ? [2] : [1, 2]))
        #expect(recorder.overrun == 0)
    }

    @Test("one that subscribes while another pauses counts, too", arguments: [Kind.current, .replay])
    func latecomerWhilePaused(kind: Kind) {
        let subject = kind.subject
        let first = PausingRecorder(subject.eraseToAnySignal(), after: kind == .current ? 2 : 1)
        subject.send(1)
        let calls = Log<Int>()
        #expect(subject.whenReady { calls.append(1) } == .pause)
        let second = PausingRecorder(subject.eraseToAnySignal(), after: 1)
        first.release(1)
        #expect(calls.entries == [])
        #expect(subject.demand == .pause)
        second.release(1)
        #expect(calls.entries == [1])
        #expect(first.overrun == 0)
        #expect(second.overrun == 0)
    }

    @Test("the subject continues anyway, and a slow subscriber does not delay another", arguments: Kind.allCases)
    func goesOn(kind: Kind) {
        let (subject, time) = (kind.subject, TestScheduler())
        let slow = PausingRecorder(subject.eraseToAnySignal().deliver(on: time, limit: 2), after: 1)
        let quick = Recorder(subject.eraseToAnySignal())
        for value in 1...100 {
            subject.send(value)
            #expect(quick.values.last == value)
        }
        subject.complete()
        #expect(quick.hasEnded)
        time.run()
        slow.play(1) { time.run() }
        #expect(slow.hasEnded)
        #expect(slow.valueCount == 2)
        #expect(slow.lost == (kind == .current ? 99 : 98))
        #expect(slow.overrun == 0)
    }

    @Test("a source that feeds it runs at the pace of the slowest subscriber", arguments: Kind.allCases)
    func feeds(kind: Kind) {
        let lead = Lead()
        func play<Shared: SubjectProtocol<Int, Never>>(_ subject: Shared) -> [PausingRecorder<Int, Never>] {
            let shared = Signals.from(CountedNumbers(count: 30, lead: lead)).multicast(into: subject)
            let recorders = [1, 2, 5].map { _ in PausingRecorder(shared, after: 1) }
            _ = shared.connect()
            return recorders
        }
        let recorders = play(kind.subject)
        let steps = [1, 2, 5]
        while recorders.contains(where: \.isAwaited) || recorders.contains(where: { !$0.hasEnded && $0.isPaused }) {
            let before = recorders.map(\.valueCount)
            for (recorder, step) in zip(recorders, steps) where recorder.isPaused {
                let asked = lead.asked
                recorder.release(step)
                // Any subscriber that still pauses blocks it.
                if recorders.contains(where: \.isPaused), before == recorders.map(\.valueCount) {
                    #expect(lead.asked == asked)
                }
            }
            if recorders.allSatisfy(\.hasEnded) { break }
        }
        let values = (kind == .current ? [0] : []) + Array(0..<30)
        for recorder in recorders {
            #expect(recorder.values == values)
            #expect(recorder.overrun == 0)
            #expect(recorder.hasEnded)
        }
        #expect(lead.asked == 30)
    }

    @Test("share runs at the pace of the slowest, and nothing is lost")
    func share() {
        let lead = Lead()
        let trigger = Subject(of: Int.self)
        let shared = trigger.flatMap(.concat) { _ in Signals.from(CountedNumbers(count: 30, lead: lead)) }.share()
        let slow = PausingRecorder(shared, after: 1)
        let quick = Recorder(shared)
        trigger.send(0)
        for count in 1..<30 {
            #expect(slow.valueCount == count)
            #expect(quick.valueCount == count)
            slow.release(1)
        }
        trigger.complete()
        slow.release()
        #expect(slow.values == Array(0..<30))
        #expect(quick.values == Array(0..<30))
        #expect(slow.hasEnded && quick.hasEnded)
    }

    @Test("a parked source is released with the last subscriber of a share")
    func shareFreed() {
        weak var canary: Canary?
        let recorder: PausingRecorder<Int, Never>
        do {
            let singer = Canary()
            canary = singer
            let numbers = Signals.from(CountedNumbers(count: .max, lead: Lead(), canary: singer))
            recorder = PausingRecorder(numbers.share(), after: 3)
        }
        #expect(recorder.isAwaited)
        #expect(canary != nil)
        recorder.dispose()
        #expect(canary == nil)
        #expect(recorder.values == [0, 1, 2])
    }

    @Test("a group whose subscriber pauses blocks the source, and unblocks it when the subscriber leaves")
    func group() {
        let lead = Lead()
        let groups = Log<GroupedSignal<Int, Int, Never>>()
        let all = Log<PausingRecorder<Int, Never>>()
        let handle = Signals.from(CountedNumbers(count: 20, lead: lead)).groupBy { $0 % 2 }.subscribe(next: { group in
            groups.append(group)
            all.append(PausingRecorder(group, after: all.entries.isEmpty ? 1 : 100))
        })
        #expect(lead.asked == 1)
        all.entries[0].release(2)
        // 1 went to the other group; 2 and 4 fill this one again.
        #expect(lead.asked == 5)
        #expect(all.entries.map(\.valueCount) == [3, 2])
        all.entries[0].dispose()
        #expect(lead.asked == 20)
        #expect(all.entries[1].values == stride(from: 1, to: 20, by: 2).map { $0 })
        #expect(all.entries[1].hasEnded)
        handle.dispose()
    }
}
