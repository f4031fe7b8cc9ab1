import Bus
import BusTesting
import Glibc
import TestSupport
import Testing

@Suite("groupBy")
struct GroupByTests {
    private typealias Group = GroupedSignal<Int, Int, TestFailure>

    /// Subscribes to each new group, and records everything that is heard.
    private final class Listener: Sendable {
        let log = Log<String>()
        private let held = Lock<[any Disposable]>([])

        var handles: [any Disposable] { held.withLock { $0 } }

        func take(_ group: Group) {
            log.append("new \(group.key)")
            let handle = group.subscribe(
                next: { [log] in log.append("\(group.key): \($0)") },
                failed: { [log] in log.append("\(group.key): \($0)") },
                completed: { [log] in log.append("\(group.key): end") }
            )
            held.withLock { $0.append(handle) }
        }

        func listen(_ signal: some Signal<Group, TestFailure>) -> Recorder<Group, TestFailure> {
            Recorder(
                signal,
                onNext: { group in
                    self.take(group)
                    return .more
                },
                onLoss: { [log] in log.append("lost \($0)") },
                onEnd: { [log] in log.append("end") }
            )
        }
    }

    /// Ends the subscriptions, because their closures hold their groups.
    private func finish(_ listener: Listener) {
        for handle in listener.handles { handle.dispose() }
    }

    @Test("a group is sent before its first value, and ends before the signal of groups, in order of creation")
    func order() {
        let source = ProbeSource<Int, TestFailure>()
        let listener = Listener()
        let recorder = listener.listen(source.groupBy { $0 / 10 })
        for value in [20, 10, 21, 11, 30] { source.send(value) }
        source.complete()
        #expect(
            listener.log.entries == [
                "new 2", "2: 20", "new 1", "1: 10", "2: 21", "1: 11", "new 3", "3: 30", "2: end", "1: end", "3: end",
                "end",
            ]
        )
        #expect(recorder.violations == [])
        finish(listener)
    }

    @Test("a failure is also sent to the groups")
    func failure() {
        let source = ProbeSource<Int, TestFailure>()
        let listener = Listener()
        let recorder = listener.listen(source.groupBy { $0 })
        source.send(1)
        source.fail("broken")
        #expect(listener.log.entries == ["new 1", "1: 1", "1: broken", "end"])
        #expect(recorder.hasEnded)
        finish(listener)
    }

    @Test("a group without a subscriber is forgotten at once")
    func untaken() {
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(source.groupBy(limit: 1) { $0 % 2 }.map { $0.key })
        for value in 1...4 { source.send(value) }
        #expect(recorder.values == [1, 0, 1, 0])
        #expect(recorder.lost == 0)
    }

    @Test("a group whose last subscriber is gone is forgotten, and its key starts a new one")
    func forgotten() {
        let source = ProbeSource<Int, TestFailure>()
        let listener = Listener()
        let recorder = listener.listen(source.groupBy { $0 / 10 })
        source.send(10)
        listener.handles[0].dispose()
        source.send(11)
        source.send(12)
        #expect(listener.log.entries == ["new 1", "1: 10", "new 1", "1: 11", "1: 12"])
        let old = recorder.values[0]
        #expect(Recorder(old).events == [.completed])
        finish(listener)
    }

    @Test("a group with one remaining subscriber continues")
    func twoSubscribers() {
        let source = ProbeSource<Int, TestFailure>()
        let listener = Listener()
        let recorder = listener.listen(source.groupBy { $0 / 10 })
        source.send(10)
        let second = Recorder(recorder.values[0])
        listener.handles[0].dispose()
        source.send(11)
        #expect(second.values == [11])
        #expect(recorder.values.count == 1)
        second.dispose()
        finish(listener)
    }

    @Test("beyond the limit, dropNewest drops the value and reports it")
    func dropNewest() {
        let source = ProbeSource<Int, TestFailure>()
        let listener = Listener()
        let recorder = listener.listen(source.groupBy(limit: 2) { $0 / 10 })
        for value in [10, 20, 30, 31, 11] { source.send(value) }
        #expect(listener.log.entries == ["new 1", "1: 10", "new 2", "2: 20", "lost 1", "lost 1", "1: 11"])
        #expect(recorder.lost == 2)
        finish(listener)
    }

    @Test("beyond the limit, completeOldest ends the group that has been silent longest")
    func completeOldest() {
        let source = ProbeSource<Int, TestFailure>()
        let listener = Listener()
        let recorder = listener.listen(source.groupBy(limit: 2, overflow: .completeOldest) { $0 / 10 })
        for value in [10, 20, 11, 30, 12] { source.send(value) }
        #expect(
            listener.log.entries == ["new 1", "1: 10", "new 2", "2: 20", "1: 11", "2: end", "new 3", "3: 30", "1: 12"]
        )
        #expect(recorder.lost == 0)
        finish(listener)
    }

    @Test("beyond the limit, fail fails the groups and then the signal, its source released")
    func fail() {
        let source = ProbeSource<Int, TestFailure>()
        let listener = Listener()
        let signal = source.groupBy(limit: 1, overflow: .fail { "too many" }) { $0 / 10 }
        let recorder = listener.listen(signal)
        for value in [10, 20, 11] { source.send(value) }
        #expect(listener.log.entries == ["new 1", "1: 10", "1: too many", "end"])
        #expect(recorder.hasEnded)
        #expect(source.liveSubscriptions == 0)
        finish(listener)
    }

    @Test("when the observer of groups disposes, subscribed groups continue, and the last releases the source")
    func outerDisposed() {
        let source = ProbeSource<Int, TestFailure>()
        let listener = Listener()
        let recorder = listener.listen(source.groupBy { $0 / 10 })
        source.send(10)
        recorder.dispose()
        for value in [20, 11] { source.send(value) }
        #expect(listener.log.entries == ["new 1", "1: 10", "1: 11"])
        #expect(source.liveSubscriptions == 1)
        listener.handles[0].dispose()
        #expect(source.liveSubscriptions == 0)
    }

    @Test("the last group that has enough hears its end when the source is released")
    func released() {
        let source = ProbeSource<Int, TestFailure>()
        let live = Log<Int>()
        let handle = SerialDisposable()
        handle.set(
            source.groupBy { $0 }.subscribe(
                next: { group in
                    _ = group.take(first: 1).subscribe(
                        next: { _ in },
                        failed: { _ in },
                        completed: { live.append(source.liveSubscriptions) }
                    )
                    handle.dispose()
                },
                failed: { _ in }
            )
        )
        source.send(1)
        #expect(live.entries == [0])
    }

    @Test("an observer that wants no more groups hears the completion, and the groups continue")
    func outerStopped() {
        let source = ProbeSource<Int, TestFailure>()
        let heard = Recorder(source.groupBy { $0 / 10 }.take(first: 1).flatMap { $0 })
        for value in [10, 20, 11] { source.send(value) }
        #expect(heard.values == [10, 11])
        #expect(!heard.hasEnded)
        source.complete()
        #expect(heard.hasEnded)
    }

    @Test("an observer that wants no more groups hears the completion before their next values")
    func outerStoppedAtOnce() {
        let source = ProbeSource<Int, TestFailure>()
        let listener = Listener()
        let recorder = listener.listen(source.groupBy { $0 / 10 }.take(first: 1))
        for value in [10, 20, 11] { source.send(value) }
        #expect(listener.log.entries == ["new 1", "end", "1: 10", "1: 11"])
        #expect(recorder.events.count == 2)
        finish(listener)
        #expect(source.liveSubscriptions == 0)
    }

    @Test("without subscribed groups, an observer with enough hears the completion as the source is released")
    func outerStoppedEmpty() {
        let source = ProbeSource<Int, TestFailure>()
        let live = Log<Int>()
        let keys = source.groupBy { $0 / 10 }.take(first: 1).map { $0.key }
        let recorder = Recorder(keys, onEnd: { live.append(source.liveSubscriptions) })
        source.send(10)
        #expect(recorder.events == [.next(1), .completed])
        #expect(live.entries == [0])
    }

    @Test("when disposed of without subscribed groups, the source is released")
    func disposedEmpty() {
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(source.groupBy { $0 }.map { $0.key })
        source.send(1)
        recorder.dispose()
        #expect(source.liveSubscriptions == 0)
    }

    @Test("a dropped source frees the groups' subscribers, even if their signals are kept")
    func dropped() {
        final class Canary: Sendable {
            func sing() {}
        }
        weak var weakly: Canary?
        var source: ProbeSource<Int, TestFailure>? = ProbeSource()
        let groups = Log<Group>()
        var handles: [any Disposable] = []
        do {
            let canary = Canary()
            weakly = canary
            let signal = source?.groupBy { $0 }
            if let signal { handles.append(signal.subscribe(next: { groups.append($0) }, failed: { _ in })) }
            source?.send(1)
            if let group = groups.entries.first {
                handles.append(group.subscribe(next: { _ in canary.sing() }, failed: { _ in }))
            }
        }
        #expect(weakly != nil)
        source = nil
        #expect(weakly == nil)
        withExtendedLifetime((handles, groups)) {}
    }

    @Test(
        "groups are left and taken on one thread while another sends; the outer is disposed of at any moment",
        arguments: 0..<20
    )
    func stress(round: Int) {
        let source = ProbeSource<Int, TestFailure>()
        let taken = Lock<[any Disposable]>([])
        let reached = Latch()
        let heard = Lock(0)
        let recorder = Recorder(
            source.groupBy(limit: 4, overflow: .completeOldest) { $0 % 7 },
            onNext: { group in
                let handle = group.subscribe(next: { _ in heard.withLock { $0 += 1 } }, failed: { _ in })
                taken.withLock { $0.append(handle) }
                return .more
            }
        )
        let threads = Threads()
        threads.start {
            for value in 0..<2_000 {
                source.send(value)
                if value == round * 50 { reached.open() }
            }
            reached.open()
        }
        threads.start {
            reached.wait()
            for _ in 0..<200 { taken.withLock { $0.popLast() }?.dispose() }
            recorder.dispose()
            for _ in 0..<200 { taken.withLock { $0.popLast() }?.dispose() }
        }
        threads.wait()
        for handle in taken.withLock({ $0 }) { handle.dispose() }
        #expect(source.liveSubscriptions == 0)
        #expect(recorder.violations == [])
        #expect(heard.withLock { $0 } > 0)
    }

    // MARK: The group that was silent for longest

    @Test("the group that has been without a value longest completes, whatever the order of the values")
    func longestSilence() {
        var random = SeededGenerator(7)
        let (source, ended) = (ProbeSource<Int, Never>(), Log<Int>())
        let groups = source.groupBy(limit: 8, overflow: .completeOldest) { $0 }
        let recorder = Recorder(
            groups.flatMap(.merge) { group in
                group.on(completed: { ended.append(group.key) }).take(while: { [key = group.key] _ in key >= 0 })
            }
        )
        var (present, expected): ([Int], [Int]) = ([], [])
        for _ in 0..<5_000 {
            let key = random.number(0..<16)
            if let index = present.firstIndex(of: key) {
                present.remove(at: index)
            } else if present.count == 8 {
                expected.append(present.removeFirst())
            }
            present.append(key)
            source.send(key)
        }
        #expect(ended.entries == expected && recorder.valueCount == 5_000)
    }

    @Test("finding it does not take longer when there are many")
    func manySilent() {
        /// In nanoseconds of the processor, for a new group and the end of an old one.
        func cost(_ limit: Int) -> Double {
            let source = ProbeSource<Int, Never>()
            let recorder = Recorder(
                source.groupBy(limit: limit, overflow: .completeOldest) { $0 }.flatMap(.merge) { $0 }.count()
            )
            for key in 0..<limit { source.send(key) }
            let (start, rounds) = (clock(), 4_000)
            for key in 0..<rounds { source.send(limit + key) }
            defer { recorder.dispose() }
            return Double(clock() - start) / Double(rounds)
        }
        _ = cost(1_000)
        let (few, many) = (cost(500), cost(50_000))
        #expect(many < 30 * few, "\(many) against \(few)")
    }

}
