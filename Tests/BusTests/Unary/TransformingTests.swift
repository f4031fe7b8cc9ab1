import Bus
import BusTesting
import Testing

@Suite("Operators that transform")
struct TransformingTests {
    private struct Reading: Sendable, Equatable {
        let sensor: String
        let degrees: Int
    }

    @Test func aKeyPathLiteralIsATransformation() {
        let readings = Signals.from([Reading(sensor: "a", degrees: 20), Reading(sensor: "b", degrees: 30)])
        #expect(Recorder(readings.map(\.degrees)).values == [20, 30])
        #expect(Recorder(readings.map(\.sensor).map(\.count)).values == [1, 1])
        #expect(Recorder(readings.max { $0.degrees < $1.degrees }.map(\.sensor)).values == ["b"])
    }

    @Test func scanIntoStartsFromItsInitialResultEachTime() {
        let signal = Signals.from(1...3).scan(into: [Int]()) { $0.append($1) }
        #expect(Recorder(signal).values == [[1], [1, 2], [1, 2, 3]])
        #expect(Recorder(signal).values == [[1], [1, 2], [1, 2, 3]])
    }

    @Test func pairsAreNamed() {
        let pairs = Recorder(Signals.from([1, 4, 9]).pairwise().map { $0.current - $0.previous })
        #expect(pairs.values == [3, 5])
        let places = Recorder(Signals.from(["a", "b"]).enumerated().map { "\($0.offset)\($0.element)" })
        #expect(places.values == ["0a", "1b"])
    }

    @Test func aMaterializedFailureIsFollowedByCompletion() {
        let recorder = Recorder(UnaryCase.source("1 x").materialize())
        #expect(recorder.events == [.next(.next(1)), .next(.failed("x")), .completed])
    }

    @Test func dematerializingEndsWithTheFirstEndAndReleasesItsSource() {
        let source = ProbeSource<Event<Int, TestFailure>, Never>()
        // `send` of a probe source can also take an event, so this chooses the variant for a value.
        let say: (Event<Int, TestFailure>) -> Void = source.send
        let completing = Recorder(source.dematerialize())
        say(.next(1))
        say(.completed)
        say(.next(2))
        #expect(completing.events == [.next(1), .completed])
        #expect(source.liveSubscriptions == 0)

        let failing = Recorder(source.dematerialize())
        say(.failed("over"))
        #expect(failing.events == [.failed("over")])
        #expect(source.liveSubscriptions == 0)
    }

    @Test func dematerializingWithoutAnEndCompletesWithItsSource() {
        let events: [Event<Int, TestFailure>] = [.next(1), .next(2)]
        #expect(Recorder(Signals.from(events).dematerialize()).events == [.next(1), .next(2), .completed])
    }

    @Test func anErrorThrownByATransformationReleasesTheSourceBeforeItIsHeard() {
        let source = ProbeSource<Int, TestFailure>()
        let held = Lock(-1)
        let recorder = Recorder(
            source.attemptMap { value throws(TestFailure) -> Int in
                if value == 2 { throw "two" }
                return value
            },
            onEnd: { held.withLock { $0 = source.liveSubscriptions } }
        )
        source.send(1)
        source.send(2)
        #expect(recorder.events == [.next(1), .failed("two")])
        #expect(held.withLock { $0 } == 0)
    }

    @Test func aSourceThatCannotFailFailsWithWhatIsThrown() {
        struct NotANumber: Error, Equatable { let text: String }
        @Sendable func parse(_ text: String) throws(NotANumber) -> Int {
            guard let number = Int(text) else { throw NotANumber(text: text) }
            return number
        }
        let typed = Signals.from(["1", "x", "2"]).attemptMap(parse)
        #expect(Recorder(typed).events == [.next(1), .failed(NotANumber(text: "x"))])

        let untyped: Recorder<Int, any Error> = Recorder(Signals.from(["1", "x"]).attemptMap { try parse($0) })
        #expect(untyped.values == [1])
        #expect(untyped.hasEnded)

        let total: Recorder<Int, Never> = Recorder(Signals.from(["1", "22"]).attemptMap { $0.count })
        #expect(total.values == [1, 2])
    }

    @Test func promotionChangesNothingButTheType() {
        let recorder: Recorder<Int, TestFailure> = Recorder(Signals.from(1...2).promoteFailure(to: TestFailure.self))
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }
}
