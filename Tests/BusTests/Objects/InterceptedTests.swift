import Bus
import BusTesting
import Testing

private final class Door {
    let log = Log<String>()
    @Intercepted var open: @Sendable (String, Int) -> Bool = { _, floor in floor >= 0 }
    @Intercepted var knock: @Sendable () -> Void = {}
    @Intercepted var paint: @Sendable (String) -> Int = { $0.count }
}

@Suite("@Intercepted")
struct InterceptedTests {
    @Test func theFunctionRunsFirstAndItsResultGoesToTheCaller() {
        let door = Door()
        let log = door.log
        door.open = { name, floor in
            log.append("opened by \(name)")
            return floor > 1
        }
        _ = door.$open.subscribe(next: { name, floor in log.append("\(name) on \(floor)") })
        #expect(door.open("Ada", 2))
        #expect(!door.open("Bob", 1))
        #expect(log.entries == ["opened by Ada", "Ada on 2", "opened by Bob", "Bob on 1"])
    }

    @Test func argumentsOfAnyNumber() {
        let door = Door()
        let knocks = Log<String>()
        _ = door.$knock.subscribe(next: { knocks.append("knock") })
        let colours = Recorder(door.$paint)
        door.knock()
        door.knock()
        #expect(door.paint("red") == 3)
        #expect(knocks.entries == ["knock", "knock"])
        #expect(colours.values == ["red"])
    }

    @Test func theSignalIsOneAndHot() {
        let door = Door()
        let early = Recorder(door.$paint)
        _ = door.paint("red")
        let late = Recorder(door.$paint)
        door.paint = { _ in 0 }
        _ = door.paint("blue")
        #expect(early.values == ["red", "blue"])
        #expect(late.values == ["blue"])
    }

    @Test func aCallFromInsideASubscriberFollows() {
        nonisolated(unsafe) let door = Door()
        let log = Log<String>()
        let painting = door.$paint.subscribe(next: { colour in
            if colour == "red" { log.append("result \(door.paint("blue"))") }
            log.append("a \(colour)")
        })
        defer { painting.dispose() }
        _ = door.$paint.subscribe(next: { log.append("b \($0)") })
        _ = door.paint("red")
        #expect(log.entries == ["result 4", "a red", "b red", "a blue", "b blue"])
    }

    @Test func itCompletesWhenTheObjectDiesAndTheFunctionCanStillBeCalled() {
        var door: Door? = Door()
        let recorder = door.map { Recorder($0.$paint) }
        let signal = door?.$paint
        let paint = door?.paint
        _ = paint?("red")
        door = nil
        #expect(recorder?.events == [.next("red"), .completed])
        #expect(paint?("green") == 5)
        #expect(recorder?.events == [.next("red"), .completed])
        #expect(signal.map { Recorder($0).events } == [.completed])
    }

    @Test func callsFromSeveralThreadsAreAllHeard() {
        nonisolated(unsafe) let door = Door()
        let recorder = Recorder(door.$paint)
        let paint = door.paint
        let group = Threads()
        for _ in 0..<3 { group.start { for _ in 0..<500 { _ = paint("red") } } }
        group.start { for count in 0..<100 { door.paint = { $0.count + count } } }
        group.wait()
        #expect(recorder.violations == [])
        #expect(recorder.values.count == 1_500)
    }

    @Test func whatTheFunctionHoldsIsFreedWithTheObject() {
        var door: Door? = Door()
        let isHeld = isKept { canary in
            door?.knock = { canary.sing() }
            _ = door?.$knock.subscribe(next: { canary.sing() })
            door?.knock()
            door = nil
        }
        #expect(!isHeld)
    }
}
