import Bus
import BusTesting
import Testing

@Suite("MutableProperty")
struct MutablePropertyTests {
    @Test func valuesBeginsWithThePresentValueAndSaysEverySet() {
        let property = MutableProperty(1)
        let early = Recorder(property.values)
        property.value = 2
        property.value = 2
        let late = Recorder(property.values)
        property.value = 3
        #expect(early.values == [1, 2, 2, 3])
        #expect(late.values == [2, 3])
    }

    @Test func changesSaysEveryLaterSetWithTheValueBefore() {
        let property = MutableProperty(1)
        let heard = Log<String>()
        _ = property.changes.subscribe(next: { heard.append("\($0.old)→\($0.new)") })
        #expect(heard.entries == [])
        property.value = 2
        property.value = 2
        property.modify { $0 += 3 }
        #expect(heard.entries == ["1→2", "2→2", "2→5"])
    }

    @Test func aSetIsHeardWhenItHasHappened() {
        let property = MutableProperty(1)
        let seen = Log<Int>()
        let seeing = property.values.subscribe(next: { _ in seen.append(property.value) })
        defer { seeing.dispose() }
        property.value = 2
        #expect(seen.entries == [1, 2])
    }

    @Test func aSetFromInsideASubscriberFollowsForAllOfThem() {
        let property = MutableProperty(0)
        let heard = Log<String>()
        let setting = property.values.subscribe(next: { value in
            heard.append("a\(value)")
            if value == 1 {
                property.value = 2
                heard.append("set \(property.value)")
            }
        })
        defer { setting.dispose() }
        _ = property.values.subscribe(next: { heard.append("b\($0)") })
        property.value = 1
        #expect(heard.entries == ["a0", "b0", "a1", "set 2", "b1", "a2", "b2"])
    }

    @Test func aMillionSetsFromInsideASubscriberNeedNoStack() {
        let rounds = deepRounds()
        let property = MutableProperty(0)
        let setting = property.values.subscribe(next: { if $0 > 0, $0 < rounds { property.value = $0 + 1 } })
        defer { setting.dispose() }
        property.value = 1
        #expect(property.value == rounds)
    }

    @Test func swapAnswersWhatItTookThePlaceOf() {
        let property = MutableProperty("a")
        let recorder = Recorder(property.values)
        #expect(property.swap("b") == "a")
        #expect(recorder.values == ["a", "b"])
    }

    @Test func modifySetsOnceAndAnswersTheResult() {
        let property = MutableProperty([1])
        let recorder = Recorder(property.values)
        let count = property.modify { values -> Int in
            values.append(2)
            values.append(3)
            return values.count
        }
        #expect(count == 3)
        #expect(recorder.values == [[1], [1, 2, 3]])
    }

    @Test func aModificationThatThrowsSetsNothing() {
        let property = MutableProperty(1)
        let recorder = Recorder(property.values)
        #expect(throws: TestFailure.self) {
            try property.modify { (value) throws(TestFailure) in
                value = 5
                throw "no"
            }
        }
        #expect(property.value == 1)
        #expect(recorder.values == [1])
    }

    @Test func aSetFromInsideModifyIsHeardAndOverwritten() {
        let property = MutableProperty(1)
        let recorder = Recorder(property.values)
        let runs = Log<Int>()
        property.modify { value in
            runs.append(value)
            property.value = 10
            value += 1
        }
        #expect(runs.entries == [1])
        #expect(recorder.values == [1, 10, 2])
        #expect(property.value == 2)
    }

    @Test func modifyRunsAgainWhenAnotherThreadSetTheValueMeanwhile() {
        let property = MutableProperty(1)
        let runs = Log<Int>()
        property.modify { value in
            runs.append(value)
            if value == 1 { _ = onOwnThread { property.value = 100 } }
            value += 1
        }
        #expect(runs.entries == [1, 100])
        #expect(property.value == 101)
    }

    @Test func noModificationIsLostAmongThreads() {
        let property = MutableProperty(0)
        let recorder = Recorder(property.values)
        let group = Threads()
        for _ in 0..<3 {
            group.start { for _ in 0..<1_000 { property.modify { $0 += 1 } } }
        }
        group.wait()
        #expect(property.value == 3_000)
        #expect(recorder.violations == [])
        let isInOrder = areAscending(recorder.values, 3_001)
        #expect(isInOrder)
    }

    @Test func itsSignalsCompleteWhenItDiesAndNothingKeepsItAlive() {
        var property: MutableProperty<Int>? = MutableProperty(1)
        weak let watched = property
        let values = property?.values
        let readOnly = property?.readOnly.map { $0 + 1 }
        let recorder = values.map { Recorder($0) }
        let mapped = readOnly.map { Recorder($0.values) }
        property?.value = 2
        property = nil
        #expect(watched == nil)
        #expect(recorder?.events == [.next(1), .next(2), .completed])
        #expect(mapped?.events == [.next(2), .next(3), .completed])
        #expect(values.map { Recorder($0).events } == [.completed])
        #expect(readOnly?.value == 3)
    }

    @Test func aSubscriberIsFreedByDisposalAndWithTheProperty() {
        let property = MutableProperty(1)
        #expect(!isKept { canary in property.values.subscribe(next: { _ in canary.sing() }).dispose() })
        var other: MutableProperty<Int>? = MutableProperty(1)
        var handle: (any Disposable)?
        let isHeld = isKept { canary in
            handle = other?.changes.subscribe(next: { _ in canary.sing() })
            other = nil
        }
        #expect(!isHeld)
        handle?.dispose()
    }

    @Test func whatAValueHoldsIsReleasedOutsideTheLock() {
        final class Reporter: Sendable {
            let report: @Sendable () -> Void
            init(_ report: @escaping @Sendable () -> Void) { self.report = report }
            deinit { report() }
        }
        let property = MutableProperty<Reporter?>(nil)
        let seen = Log<Bool>()
        // A deinitialiser that reads the property would deadlock under its lock.
        property.value = Reporter { seen.append(property.value == nil) }
        property.value = nil
        property.value = Reporter { seen.append(property.value == nil) }
        property.modify { $0 = nil }
        #expect(seen.entries == [true, true])
    }

    @Test func subscribersComeAndGoWhileThreadsSet() {
        let property = MutableProperty(0)
        let recorders = Log<Recorder<Int, Never>>()
        let group = Threads()
        for sender in 1...2 {
            group.start { for value in 0..<1_000 { property.value = sender * 10_000 + value } }
        }
        group.start {
            for index in 0..<100 {
                let recorder = Recorder(property.values)
                recorders.append(recorder)
                if index % 2 == 0 { recorder.dispose() }
            }
        }
        group.wait()
        for (index, recorder) in recorders.entries.enumerated() {
            #expect(recorder.violations == [])
            if index % 2 == 1 { #expect(recorder.values.last == property.value) }
        }
    }
}
