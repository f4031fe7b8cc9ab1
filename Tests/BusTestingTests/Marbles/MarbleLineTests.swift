import Bus
import BusTesting
import Testing
import Timers

@Suite("Marble lines")
struct MarbleLineTests {
    @Test(
        "an event of a hot source is sent at its column, and is printed as the same line",
        arguments: [
            "--1--2-(34)-|", "|", "x", "(12|)", "1-2-3", "--x'broken'", "'12'-----'-3'", "",
        ]
    )
    func lines(_ line: String) throws {
        let time = TestScheduler()
        let recorder = time.record(try time.hot(line))
        time.run()
        #expect(recorder.marbles() == line)
    }

    @Test("a hot source sends events at their times to all present listeners")
    func hot() throws {
        let time = TestScheduler()
        let source = try time.hot("1-2-3|", failure: Never.self)
        let early = time.record(source)
        time.advance(by: .milliseconds(1))
        let late = time.record(source)
        time.run()
        #expect(early.timeline.map(\.time.nanoseconds) == [0, 2_000_000, 4_000_000, 5_000_000])
        #expect(early.events == [.next(1), .next(2), .next(3), .completed])
        #expect(late.marbles() == "--2-3|")
        #expect(source.windows.map { $0.marbles() } == ["^----!", "-^---!"])
    }

    @Test("a cold source starts again with every subscription, its first column during subscribe")
    func cold() throws {
        let time = TestScheduler()
        let source = try time.cold("1-2-|", of: String.self)
        let early = time.record(source)
        #expect(early.values == ["1"])
        time.advance(by: .milliseconds(3))
        let late = time.record(source)
        time.advance(by: .milliseconds(2))
        late.dispose()
        time.run()
        #expect(early.marbles() == "1-2-|")
        #expect(late.marbles() == "---1-2")
        #expect(source.windows.map { $0.marbles() } == ["^---!", "---^-!"])
        #expect(source.liveSubscriptions == 0)
    }

    @Test("a cold source stops when its observer has enough, even during subscribe")
    func coldStops() throws {
        let time = TestScheduler()
        let source = try time.cold("(123)-4-|")
        #expect(time.record(source.take(first: 2)).marbles() == "(12|)")
        #expect(time.record(source.take(first: 4)).values == [1, 2, 3])
        time.run()
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)
    }

    @Test("characters can be mapped to values")
    func table() throws {
        let time = TestScheduler()
        let recorder = time.record(try time.hot("-a-b-|", ["a": [1, 2], "b": []]))
        time.run()
        #expect(recorder.values == [[1, 2], []])
    }

    @Test("the step is the duration of a column")
    func step() throws {
        let time = TestScheduler()
        let recorder = time.record(try time.hot("--1|", step: .seconds(60)))
        time.advance(by: .seconds(120))
        #expect(recorder.values == [1])
        #expect(recorder.marbles(step: .seconds(60)) == "--1")
        time.run()
        #expect(recorder.marbles(step: .seconds(30)) == "----1-|")
    }

    @Test("events between columns, or without a free column, are listed with their times")
    func undrawable() throws {
        let time = TestScheduler()
        let recorder = time.record(try time.hot("-1|"))
        time.run()
        #expect(recorder.marbles(step: .milliseconds(2)) == "1 at 0.001 seconds, | at 0.002 seconds")
        let crowded = time.record(try time.cold("-12|").map { "\($0)\($0)" })
        time.run()
        #expect(crowded.marbles() == "'11' at 0.003 seconds, '22' at 0.004 seconds, | at 0.005 seconds")
    }

    @Test(
        "an invalid line is reported with the place and the reason",
        arguments: [
            ("--1-(2", 5, "not closed"), ("--)", 3, "no group"), ("()", 1, "empty"), ("(1-2)", 3, "one moment"),
            ("1|2", 3, "has ended"), ("1 2", 2, "drawn as \"-\""), ("--'12", 3, "quote"),
            ("--a", 3, "stands for no Int"),
            ("-^1", 2, "does not subscribe"), ("(1(2))", 3, "one moment"),
        ]
    )
    func errors(_ line: String, _ column: Int, _ words: String) {
        let error = #expect(throws: MarbleError.self) { try TestScheduler().hot(line) }
        #expect(error?.column == column)
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test("a signal that cannot fail has no x")
    func neverFails() {
        #expect(throws: MarbleError.self) { try TestScheduler().cold("--x", failure: Never.self) }
        #expect(throws: Never.self) { try TestScheduler().cold("--'x'", of: String.self, failure: Never.self) }
    }
}
