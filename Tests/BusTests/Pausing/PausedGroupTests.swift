import Bus
import BusTesting
import Testing

/// Groups that are subscribed to after values were sent to them. The values are queued, or lost and counted.
@Suite("Groups that wait for their first subscriber")
struct PausedGroupTests {
    private typealias Group = GroupedSignal<Int, Int, Never>

    @Test("groups that change threads lose nothing", arguments: [1, 3, 50], [20, 5_000])
    func hopping(keys: Int, count: Int) {
        let (time, lead) = (TestScheduler(), Lead())
        let groups = Signals.from(CountedNumbers(count: count, lead: lead)).groupBy { $0 % keys }
        let recorder = Recorder(groups.deliver(on: time, limit: 2).flatMap { $0 })
        time.run()
        #expect(recorder.values.sorted() == Array(0..<count))
        #expect(recorder.lost == 0)
        #expect(recorder.hasEnded)
    }

    @Test("a new group's values wait while the observer of groups has no room, whether the source pauses or not")
    func noRoom() {
        let (source, heard) = (Subject(of: Int.self), Log<Int>())
        let recorder = PausingRecorder(
            source.groupBy { $0 / 10 },
            after: 1,
            onNext: { group in _ = group.subscribe(next: heard.append) }
        )
        for value in [10, 20, 11, 21, 30] { source.send(value) }
        #expect(heard.entries == [10, 11])
        recorder.release()
        #expect(heard.entries == [10, 11, 20, 21, 30])
        #expect(recorder.lost == 0)
        #expect(recorder.overrun == 0)
        recorder.dispose()
        source.complete()
    }

    @Test("groups that wait for others to end do not block the source: excess values are lost and counted")
    func inTurn() {
        let lead = Lead()
        let recorder = Recorder(
            Signals.from(CountedNumbers(count: 9_000, lead: lead)).groupBy { $0 % 3 }.flatMap(.concat) { $0 }
        )
        let expected = (0..<3).map { key in (0..<9_000).filter { $0 % 3 == key } }
        #expect(recorder.values == expected[0] + expected[1].prefix(1_024) + expected[2].prefix(1_024))
        #expect(recorder.lost == 2 * (3_000 - 1_024))
        #expect(recorder.hasEnded)
    }

    @Test("the same with some groups at a time", arguments: [1, 2, 3, 5])
    func someAtATime(most: Int) {
        let recorder = PausingRecorder(
            Signals.from(0..<20_000).groupBy { $0 % 5 }.flatMap(.merge(maxConcurrent: most)) { $0 },
            after: 0
        )
        recorder.play(100)
        let heard = recorder.values
        #expect(Set(heard).count == heard.count)
        #expect(heard.count + recorder.lost == 20_000)
        #expect(recorder.lost == (5 - most) * (4_000 - 1_024))
        #expect(recorder.hasEnded)
    }

    @Test("a source pauses when half of the room is used, and resumes when the group is subscribed to or dropped")
    func half() {
        for isTaken in [true, false] {
            let (lead, kept, heard, ended) = (Lead(), Lock<Group?>(nil), Log<Int>(), Latch())
            let handle = Signals.from(CountedNumbers(count: 3_000, lead: lead)).groupBy { $0 % 2 }.subscribe(
                next: { group in
                    if group.key == 0 {
                        _ = group.subscribe(next: heard.append)
                    } else if lead.asked == 2 {
                        kept.withLock { $0 = group }
                    }
                },
                completed: { ended.open() }
            )
            #expect(lead.asked == 2 * 513)
            var group = kept.withLock { $0.take() }
            if isTaken { _ = group?.subscribe(next: heard.append) }
            group = nil
            ended.wait()
            #expect(heard.entries.sorted() == (0..<3_000).filter { isTaken || $0 % 2 == 0 })
            handle.dispose()
        }
    }

    @Test("queued values are heard in order by a first subscriber that pauses, and then the end", arguments: [0, 1, 3])
    func handOver(room: Int) {
        let source = Subject(of: Int.self, failure: TestFailure.self)
        let groups = Recorder(source.groupBy { _ in 0 })
        for value in 0..<20 { source.send(value) }
        let recorder = PausingRecorder(groups.values[0], after: room)
        for value in 20..<30 { source.send(value) }
        source.fail("broken")
        #expect(recorder.values == Array(0..<room))
        recorder.release(5)
        #expect(recorder.values == Array(0..<(room + 5)))
        #expect(!recorder.hasEnded)
        recorder.release()
        #expect(recorder.events == (0..<30).map { .next($0) } + [.failed("broken")])
        #expect(recorder.overrun == 0)
        #expect(Recorder(groups.values[0]).events == [.completed])
    }

    @Test("values queued when the source ended go to the first subscriber only")
    func afterTheEnd() {
        let groups = Recorder(Signals.from(0..<10).groupBy { $0 % 2 })
        #expect(groups.hasEnded)
        for key in 0..<2 {
            let recorder = PausingRecorder(groups.values[key], after: 2)
            recorder.play(1)
            #expect(recorder.values == (0..<10).filter { $0 % 2 == key })
            #expect(recorder.hasEnded)
            #expect(recorder.overrun == 0)
            #expect(Recorder(groups.values[key]).events == [.completed])
        }
    }

    @Test("a subscriber that leaves while it pauses lets the source continue for the others")
    func leaving() {
        let (paused, heard, ended) = (Log<PausingRecorder<Int, Never>>(), Log<Int>(), Latch())
        let handle = Signals.from(0..<10).groupBy { $0 % 2 }.subscribe(
            next: { group in
                if group.key == 0 {
                    _ = group.subscribe(next: heard.append)
                } else if paused.entries.isEmpty {
                    paused.append(PausingRecorder(group, after: 1))
                }
            },
            completed: { ended.open() }
        )
        #expect(heard.entries == [0])
        paused.entries[0].dispose()
        #expect(heard.entries == [0, 2, 4, 6, 8])
        ended.wait()
        handle.dispose()
    }

    @Test("a group that nobody subscribes to is freed together with its values")
    func freed() {
        weak var canary: Canary?
        let (source, kept) = (Subject(of: Canary.self), Lock<GroupedSignal<Int, Canary, Never>?>(nil))
        let handle = source.groupBy { _ in 0 }.subscribe(next: { group in kept.withLock { $0 = group } })
        do {
            let singer = Canary()
            canary = singer
            for _ in 0..<3 { source.send(singer) }
        }
        #expect(canary != nil)
        let group = kept.withLock { $0.take() }
        #expect(group?.key == 0)
        withExtendedLifetime(consume group) {}
        #expect(canary == nil)
        handle.dispose()
    }

    private struct Broken: Error {}

    @Test("nothing is kept of a subscription that has ended, even if a group had no room meanwhile")
    func nothingKept() {
        #expect(
            !isKept { canary in
                let source = Subject(of: Int.self, failure: Broken.self)
                let recorders = Log<PausingRecorder<Int, Broken>>()
                let overflow = GroupOverflow<Broken>.fail {
                    canary.sing()
                    return Broken()
                }
                let handle = source.groupBy(limit: 8, overflow: overflow) { $0 % 2 }.subscribe(
                    next: { group in recorders.append(PausingRecorder(group, after: 1)) },
                    failed: { _ in }
                )
                for value in 0..<6 { source.send(value) }
                source.complete()
                for recorder in recorders.entries { recorder.play(1) }
                handle.dispose()
            }
        )
    }
}
