import Bus
import BusTesting
import TestSupport
import Testing

extension Topic where Value == Int {
    fileprivate static let numbers = Topic("test.numbers")
    fileprivate static let kept = Topic("test.kept", keeping: .last)
    fileprivate static let keptThree = Topic("test.kept-three", keeping: .last(3))
}

@Suite("NotificationBus")
struct NotificationBusTests {
    let bus = NotificationBus()

    // MARK: Posting and hearing

    @Test func everySubscriberHearsWhatIsPostedAfterItSubscribed() {
        bus.post(1, to: .numbers)
        let first = Recorder(bus.signal(for: .numbers))
        bus.post(2, to: .numbers)
        let second = Recorder(bus.signal(for: .numbers))
        let poster = bus.poster(for: .numbers)
        poster.post(3)
        #expect(first.values == [2, 3])
        #expect(second.values == [3])
    }

    @Test func topicsAreApart() {
        let numbers = Recorder(bus.signal(for: .numbers))
        let texts = Recorder(bus.signal(for: Topic<String>("test.texts")))
        bus.post("one", to: Topic("test.texts"))
        bus.post(1, to: .numbers)
        #expect(numbers.values == [1])
        #expect(texts.values == ["one"])
    }

    @Test func anEnvelopeSaysNumberTimeAndPlace() throws {
        let before = MonotonicTime.nanoseconds
        let recorder = Recorder(bus.envelopes(for: .numbers))
        bus.post(7, to: .numbers)
        bus.poster(for: .numbers).post(8)
        let line = UInt(#line - 2)
        let envelopes = recorder.values
        #expect(envelopes.map(\.sequence) == [1, 2])
        #expect(envelopes.map(\.value) == [7, 8])
        #expect(envelopes.map(\.topic) == ["test.numbers", "test.numbers"])
        #expect(envelopes.map(\.scope) == ["", ""])
        #expect(envelopes.map(\.origin.line) == [line, line + 1])
        #expect(envelopes.map { "\($0.origin.fileID)" } == [#fileID, #fileID])
        for envelope in envelopes {
            #expect(envelope.uptime >= .nanoseconds(before))
            #expect(envelope.uptime <= .nanoseconds(MonotonicTime.nanoseconds))
            #expect(envelope.age >= .zero)
        }
        #expect(try #require(envelopes.first).description == "test.numbers #1: 7")
    }

    @Test func whoSubscribesToAPatternHearsAllItsTopics() {
        let all = Recorder(bus.envelopes(matching: "test.>"))
        let numbers = Recorder(bus.envelopes(matching: "test.>", of: Int.self))
        bus.post("a", to: Topic<String>("test.texts.first"))
        bus.post(1, to: .numbers)
        bus.post(2, to: Topic("other.numbers"))
        #expect(all.values.map(\.description) == ["test.texts.first #1: a", "test.numbers #1: 1"])
        #expect(numbers.values.map(\.value) == [1])
        #expect(numbers.values.allSatisfy { $0.uptimeNanoseconds > 0 })
    }

    @Test func aTopicUsedWithTwoTypesStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bus = NotificationBus()
            bus.post(1, to: Topic<Int>("config.level"))
            bus.post("one", to: Topic<String>("config.level"))
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("config.level of String"))
        #expect(message.contains("as one of Int"))
    }

    @Test func aTopicUsedWithTwoRetentionsStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            let bus = NotificationBus()
            bus.post(1, to: Topic<Int>("config.level"))
            bus.post(1, to: Topic<Int>("config.level", keeping: .last))
        }
    }

    // MARK: Order

    @Test func whatIsPostedInsideASubscriberFollowsForAllOfThem() {
        let log = Log<String>()
        let (bus, handles) = (bus, CompoundDisposable())
        bus.signal(for: .numbers).subscribe(next: { value in
            log.append("a\(value)")
            if value == 1 {
                bus.post(2, to: .numbers)
                bus.post(3, to: .numbers)
            }
        }).store(in: handles)
        bus.signal(for: .numbers).subscribe(next: { log.append("b\($0)") }).store(in: handles)
        bus.envelopes(matching: "test.*").subscribe(next: { log.append("c\($0.value)") }).store(in: handles)
        bus.post(1, to: .numbers)
        // Subscribers to the topic and to patterns each hear one order. Which of the two kinds is called first is not
        // promised.
        for name in ["a", "b", "c"] {
            #expect(log.entries.filter { $0.hasPrefix(name) } == ["\(name)1", "\(name)2", "\(name)3"])
        }
        handles.dispose()
    }

    @Test func aMillionPostsInsideASubscriberNeedNoStack() {
        let bus = bus
        let rounds = deepRounds()
        let last = Log<Int>()
        let handle = bus.signal(for: .numbers).subscribe(next: { value in
            if value < rounds { bus.post(value + 1, to: .numbers) } else { last.append(value) }
        })
        bus.post(0, to: .numbers)
        #expect(last.entries == [rounds])
        handle.dispose()
    }

    @Test func allSubscribersSeeTheSameOrderFromManyPosters() {
        let bus = bus
        let exact = (0..<2).map { _ in Recorder(bus.envelopes(for: .numbers)) }
        let pattern = Recorder(bus.envelopes(matching: "*.numbers", of: Int.self))
        let group = Threads()
        for poster in 0..<4 {
            group.start {
                let handle = bus.poster(for: .numbers)
                for value in 0..<2_000 { handle.post(poster * 10_000 + value) }
            }
        }
        group.wait()
        for recorder in exact + [pattern] {
            #expect(recorder.violations == [])
            #expect(recorder.values.map(\.sequence) == Array(1...8_000))
            #expect(recorder.values.map(\.value) == exact[0].values.map(\.value))
        }
    }

    @Test func disposingInsideASubscriberSilencesIt() {
        let handle = SerialDisposable()
        let log = Log<Int>()
        handle.set(
            bus.signal(for: .numbers).subscribe(next: { value in
                log.append(value)
                handle.dispose()
            })
        )
        bus.post(1, to: .numbers)
        bus.post(2, to: .numbers)
        #expect(log.entries == [1])
        #expect(bus.topics.first?.subscribers == 0)
    }

    @Test func aSubscriberThatHasEnoughLeavesAndCompletes() {
        let exact = Recorder(bus.signal(for: .numbers).take(first: 2))
        let pattern = Recorder(bus.envelopes(matching: ">", of: Int.self).map(\.value).take(first: 2))
        for value in 1...3 { bus.post(value, to: .numbers) }
        #expect(exact.events == [.next(1), .next(2), .completed])
        #expect(pattern.events == [.next(1), .next(2), .completed])
        #expect(bus.topics.first?.subscribers == 0)
        #expect(bus.topics.first?.patternSubscribers == 0)
    }

    // MARK: Newcomers

    @Test func aNewcomerHearsWhatIsKeptAndThenWhatIsPosted() {
        for value in 1...5 {
            bus.post(value, to: .kept)
            bus.post(value, to: .keptThree)
        }
        let last = Recorder(bus.signal(for: .kept))
        let three = Recorder(bus.envelopes(for: .keptThree))
        bus.post(6, to: .kept)
        bus.post(6, to: .keptThree)
        #expect(last.values == [5, 6])
        #expect(three.values.map(\.value) == [3, 4, 5, 6])
        #expect(three.values.map(\.sequence) == [3, 4, 5, 6])
    }

    @Test func aNewcomerToAPatternHearsWhatIsKeptOnce() {
        for value in 1...5 {
            bus.post(value, to: .keptThree)
            bus.post(value, to: .kept)
            bus.post(value, to: .numbers)
        }
        let first = Recorder(bus.envelopes(matching: "test.*", of: Int.self))
        let second = Recorder(bus.envelopes(matching: "test.kept", of: Int.self))
        bus.post(6, to: .keptThree)
        #expect(
            first.values.map(\.description).sorted() == [
                "test.kept #5: 5", "test.kept-three #3: 3", "test.kept-three #4: 4", "test.kept-three #5: 5",
                "test.kept-three #6: 6",
            ]
        )
        #expect(second.values.map(\.value) == [5])
    }

    @Test func whatIsKeptIsClearedAndRead() {
        bus.post(1, to: .kept)
        for value in 1...5 { bus.post(value, to: .keptThree) }
        #expect(bus.retained(for: .keptThree).map(\.value) == [3, 4, 5])
        #expect(bus.retained(for: .numbers).isEmpty)
        bus.clearRetained(for: .kept)
        #expect(bus.retained(for: .kept).isEmpty)
        #expect(bus.retained(for: .keptThree).count == 3)
        bus.clearRetained(matching: "test.>")
        #expect(bus.retained(for: .keptThree).isEmpty)
        #expect(Recorder(bus.signal(for: .keptThree)).values == [])
        bus.post(6, to: .keptThree)
        #expect(bus.retained(for: .keptThree).map(\.sequence) == [6])
    }

    @Test func whoComesBackHearsEachLaterValueOnceAndTheNumberOfThoseThatAreGone() {
        for value in 1...2 { bus.post(value, to: .keptThree) }
        for value in 3...6 { bus.post(value, to: .keptThree) }
        let gap = Recorder(bus.envelopes(for: .keptThree, after: 1))
        #expect(gap.values.map(\.value) == [4, 5, 6])
        #expect(gap.lost == 2)
        let whole = Recorder(bus.envelopes(for: .keptThree, after: 4))
        #expect(whole.values.map(\.value) == [5, 6])
        #expect(whole.lost == 0)
        let present = Recorder(bus.envelopes(for: .keptThree, after: 6))
        bus.post(7, to: .keptThree)
        #expect(present.values.map(\.value) == [7])
        #expect(present.lost == 0)
        // A number from another bus or from before the topic was forgotten.
        #expect(Recorder(bus.envelopes(for: .keptThree, after: 1_000)).values.map(\.value) == [5, 6, 7])
    }

    @Test func whoComesBackWithALittleQueueLosesNothingThatIsKept() {
        for value in 1...6 { bus.post(value, to: .keptThree) }
        let recorder = PausingRecorder(bus.envelopes(for: .keptThree, after: 1, limit: 1), after: 1)
        bus.post(7, to: .keptThree)
        recorder.release()
        // 2 and 3 were gone before.
        #expect(recorder.values.map(\.value) == [4, 5, 6, 7])
        #expect(recorder.lost == 2)
    }

    // MARK: Back-pressure

    @Test func aSubscriberThatPausesKeepsItsQueueAndDelaysNobody() {
        let slow = PausingRecorder(bus.envelopes(for: .numbers, limit: 3), after: 1)
        let pattern = PausingRecorder(
            bus.envelopes(matching: "test.*", of: Int.self, limit: 2, overflow: .dropNewest),
            after: 1
        )
        let fast = Recorder(bus.signal(for: .numbers))
        for value in 1...10 { bus.post(value, to: .numbers) }
        #expect(fast.values == Array(1...10))
        #expect(slow.values.map(\.value) == [1])
        slow.release()
        pattern.release()
        // The oldest was dropped to make room.
        #expect(slow.values.map(\.value) == [1, 8, 9, 10])
        #expect(slow.lost == 6)
        #expect(pattern.values.map(\.value) == [1, 2, 3])
        bus.post(11, to: .numbers)
        #expect(slow.values.last?.sequence == 11)
        #expect(pattern.lost == 7)
        #expect(pattern.values.last?.sequence == 11)
    }

    @Test func aPosterThatWaitsLosesNothing() async {
        let bus = bus
        let worker = ThreadScheduler(name: "worker")
        let poster = bus.poster(for: .numbers)
        let exact = Recorder(bus.signal(for: .numbers, limit: 4).deliver(on: worker, limit: 4))
        let pattern = Recorder(bus.envelopes(matching: ">", of: Int.self, limit: 4).deliver(on: worker, limit: 4))
        for value in 1...5_000 { #expect(await poster.postWhenReady(value)) }
        bus.close()
        await offThePool {
            exact.waitForEnd()
            pattern.waitForEnd()
        }
        #expect(exact.values == Array(1...5_000))
        #expect(pattern.values.map(\.value) == Array(1...5_000))
        #expect(exact.lost == 0)
        #expect(await !poster.postWhenReady(1))
    }

    @Test func aFullTopicLosesTheNewestAndTheNumbersShowIt() {
        let bus = NotificationBus(limit: 2)
        let recorder = Recorder(bus.envelopes(for: .numbers)) { envelope in
            if envelope.value == 0 { for value in 1...5 { bus.post(value, to: .numbers) } }
            return .more
        }
        let pattern = Recorder(bus.envelopes(matching: ">"))
        bus.post(0, to: .numbers)
        bus.post(6, to: .numbers)
        #expect(recorder.values.map(\.value) == [0, 1, 2, 6])
        #expect(recorder.values.map(\.sequence) == [1, 2, 3, 7])
        #expect(recorder.lost == 3)
        #expect(pattern.lost == 3)
        #expect(bus.topics.map(\.lost) == [3])
        recorder.dispose()
    }

    // MARK: Scopes

    @Test func whatIsPostedOnAChildIsHeardOnTheBusAndNotTheOtherWay() {
        let child = bus.child(named: "web").child(named: "42")
        let outside = Recorder(bus.envelopes(for: .numbers))
        let pattern = Recorder(bus.envelopes(matching: "test.*"))
        let inside = Recorder(child.envelopes(for: .numbers))
        bus.post(1, to: .numbers)
        child.post(2, to: .numbers)
        child.poster(for: .numbers).post(3)
        #expect(inside.values.map(\.value) == [2, 3])
        #expect(inside.values.map(\.sequence) == [1, 2])
        #expect(outside.values.map(\.value) == [1, 2, 3])
        #expect(outside.values.map(\.sequence) == [1, 2, 3])
        #expect(outside.values.map(\.scope) == ["", "web/42", "web/42"])
        #expect(pattern.values.map(\.scope) == ["", "web/42", "web/42"])
        #expect(outside.values.allSatisfy { $0.uptimeNanoseconds > 0 })
    }

    @Test func aBusHearsItsChildsValuesInTheChildsOrder() {
        let last = Topic<Int>("test.last", keeping: .last)
        let child = bus.child(named: "web")
        let outside = Recorder(bus.signal(for: last))
        let inside = Recorder(child.signal(for: last)) { value in
            if value == 1 { child.post(2, to: last) }
            return .more
        }
        child.post(1, to: last)
        #expect(inside.values == [1, 2])
        #expect(outside.values == [1, 2])
        #expect(Recorder(bus.signal(for: last)).values == [2])
        // It holds the child, which holds it.
        inside.dispose()
    }

    @Test func aPosterOnAChildWaitsForTheBusAroundIt() async {
        let web = bus.child(named: "web")
        let child = web.child(named: "42")
        let slow = PausingRecorder(bus.signal(for: .numbers, limit: 4), after: 0)
        let poster = child.poster(for: .numbers)
        let posting = Task { for value in 1...100 { await poster.postWhenReady(value) } }
        while !slow.hasEnded {
            await Task.yield()
            if slow.isPaused { slow.release(10) }
            if slow.valueCount == 100 { bus.close() }
        }
        await posting.value
        #expect(slow.values == Array(1...100))
        #expect(slow.lost == 0)
        #expect(web.isClosed && poster.demand == .stop)
    }

    @Test func aChildEndsWithItsBusAndABusNotWithItsChild() {
        let child = bus.child(named: "a")
        let grandchild = child.child(named: "b")
        let recorders = [bus, child, grandchild].map { Recorder($0.signal(for: .numbers)) }
        child.close()
        #expect(recorders.map(\.hasEnded) == [false, true, true])
        #expect(grandchild.isClosed)
        child.post(1, to: .numbers)
        bus.post(2, to: .numbers)
        #expect(recorders[0].values == [2])
        let late = bus.child(named: "c")
        bus.close()
        #expect(late.isClosed)
        #expect(bus.child(named: "d").isClosed)
    }

    @Test func aBusThatIsClosedByItsSubscriberPassesTheValueOnOnce() {
        let child = bus.child(named: "a")
        let grandchild = child.child(named: "b")
        let outer = Recorder(bus.signal(for: .numbers))
        let closing = child.signal(for: .numbers).subscribe(next: { _ in child.close() })
        grandchild.post(1, to: .numbers)
        #expect(outer.values == [1])
        closing.dispose()
    }

    // MARK: The end

    @Test func closingEndsSubscribersBehindWhatWasPosted() {
        let bus = bus
        let slow = PausingRecorder(bus.signal(for: .numbers), after: 0)
        let order = Log<String>()
        let pattern = Recorder(bus.envelopes(matching: ">", of: Int.self).map(\.value))
        let handle = bus.signal(for: .numbers).subscribe(
            next: { value in
                order.append("\(value)")
                guard value == 1 else { return }
                bus.post(2, to: .numbers)
                bus.close()
                bus.post(3, to: .numbers)
            },
            completed: { order.append("end") }
        )
        bus.post(1, to: .numbers)
        #expect(order.entries == ["1", "2", "end"])
        #expect(pattern.events == [.next(1), .next(2), .completed])
        #expect(!slow.hasEnded)
        slow.release()
        #expect(slow.events == [.next(1), .next(2), .completed])
        #expect(Recorder(bus.signal(for: .numbers)).events == [.completed])
        #expect(Recorder(bus.envelopes(matching: ">")).hasEnded)
        #expect(bus.isClosed)
        #expect(bus.topics.isEmpty)
        bus.close()
        handle.dispose()
    }

    @Test func aDroppedBusFreesItsSubscribers() {
        var kept: [any Disposable] = []
        var posters: [TopicPoster<Int>] = []
        let left = LeakCheck.leftovers { check in
            let bus = NotificationBus()
            check.watch(bus)
            let child = bus.child(named: "child")
            check.watch(child)
            let canary = check.canary()
            for bus in [bus, child] {
                kept.append(bus.signal(for: .numbers).subscribe(next: { _ in withExtendedLifetime(canary) {} }))
                kept.append(bus.envelopes(for: .kept).subscribe(next: { _ in withExtendedLifetime(canary) {} }))
                kept.append(bus.envelopes(matching: ">").subscribe(next: { _ in withExtendedLifetime(canary) {} }))
                posters.append(bus.poster(for: .numbers))
            }
            child.post(1, to: .numbers)
            child.post(1, to: .kept)
        }
        #expect(left == [])
        for poster in posters { poster.post(2) }
        for handle in kept { handle.dispose() }
    }

    @Test func disposalFreesTheSubscriberOnALivingBus() {
        let bus = bus
        let left = LeakCheck.leftovers { check in
            let canary = check.canary()
            let handles = CompoundDisposable()
            bus.signal(for: .kept).subscribe(next: { _ in withExtendedLifetime(canary) {} }).store(in: handles)
            bus.envelopes(matching: ">").subscribe(next: { _ in withExtendedLifetime(canary) {} }).store(in: handles)
            bus.post(1, to: .kept)
            handles.dispose()
        }
        #expect(left == [])
    }

    @Test(arguments: 0..<3)
    func aSubscriberThatPausesHearsWhatWaitsAndIsFreedByDisposalAfterItsBus(kind: Int) {
        for isDisposed in [true, false] {
            weak var watched: Canary?
            var recorder: PausingRecorder<Int, Never>?
            do {
                let (bus, canary) = (NotificationBus(), Canary())
                watched = canary
                let signals = [
                    bus.signal(for: .numbers).eraseToAnySignal(),
                    bus.envelopes(for: .numbers).map(\.value).eraseToAnySignal(),
                    bus.envelopes(matching: ">", of: Int.self).map(\.value).eraseToAnySignal(),
                ]
                recorder = PausingRecorder(signals[kind].on(next: { _ in canary.sing() }), after: 1)
                for value in 1...3 { bus.post(value, to: .numbers) }
            }
            #expect(watched != nil)
            if isDisposed { recorder?.dispose() } else { recorder?.release() }
            #expect(watched == nil)
            #expect(recorder?.values == (isDisposed ? [1] : [1, 2, 3]))
        }
    }

    // MARK: Bounds

    @Test func topicsThatNobodyUsesAreForgotten() {
        let bus = NotificationBus(topicLimit: 100)
        let subscriber = Recorder(bus.signal(for: .numbers))
        let poster = bus.poster(for: Topic<Int>("test.posted"))
        bus.post(1, to: .kept)
        for number in 0..<10_000 {
            guard let topic = try? Topic<Int>(checking: "device.\(number)") else { continue }
            bus.post(number, to: topic)
        }
        let names = Set(bus.topics.map(\.name))
        #expect(names.count <= 101)
        #expect(names.isSuperset(of: ["test.numbers", "test.posted", "test.kept"]))
        bus.post(7, to: .numbers)
        #expect(subscriber.values == [7])
        withExtendedLifetime(poster) {}
    }

    @Test func aBusOfWhichNearlyAllTopicsAreInUseRemembersFewOthers() {
        let bus = NotificationBus(topicLimit: 64)
        let posters = (0..<63).compactMap { try? bus.poster(for: Topic<Int>(checking: "used.\($0)")) }
        for number in 0..<10_000 {
            guard let topic = try? Topic<Int>(checking: "device.\(number)") else { continue }
            bus.post(number, to: topic)
            #expect(bus.topics.count <= 72)
        }
        #expect(posters.count == 63)
        withExtendedLifetime(posters) {}
    }

    @Test func aForgottenValueThatPostsAgainWhenItIsReleased() {
        let bus = NotificationBus(topicLimit: 4)
        let topic = Topic<AtRelease?>("test.kept", keeping: .last)
        bus.post(AtRelease { bus.post(nil, to: topic) }, to: topic)
        bus.clearRetained(for: topic)
        #expect(bus.retained(for: topic).count == 1)
        #expect(bus.topics.first { $0.name == "test.kept" }?.kept == 1)
        // A topic that keeps a value is not forgotten.
        for number in 0..<100 {
            guard let other = try? Topic<Int>(checking: "device.\(number)") else { continue }
            bus.post(number, to: other)
        }
        #expect(bus.retained(for: topic).count == 1)
    }

    @Test func topicsSayWhatTheyAre() {
        let recorder = Recorder(bus.signal(for: .keptThree))
        let pattern = Recorder(bus.envelopes(matching: "test.>"))
        for value in 1...4 { bus.post(value, to: .keptThree) }
        let topic = bus.topics.first
        #expect(topic?.name == "test.kept-three")
        #expect(topic?.valueType == "Int")
        #expect(topic?.posted == 4)
        #expect(topic?.subscribers == 1)
        #expect(topic?.patternSubscribers == 1)
        #expect(topic?.kept == 3)
        #expect(topic?.lost == 0)
        recorder.dispose()
        pattern.dispose()
    }

    @Test func aPosterKnowsWhetherItIsHeard() {
        let child = bus.child(named: "child")
        let poster = child.poster(for: .numbers)
        #expect(!poster.wantsValues)
        let recorder = Recorder(bus.signal(for: .numbers))
        #expect(poster.wantsValues)
        recorder.dispose()
        #expect(!poster.wantsValues)
        let pattern = Recorder(child.envelopes(matching: "test.*"))
        #expect(poster.wantsValues)
        pattern.dispose()
        #expect(bus.poster(for: .kept).wantsValues)
    }
}
