import Bus
import BusTesting
import Testing
import Timers

@Suite("Diagrams")
struct DiagramTests {
    let merging = Diagram(
        """
        a      --1-------2--|
        b      ----5--6-------7|
        merge  --1-5--6--2----7|
        """
    )

    @Test("a correct diagram reports nothing")
    func right() {
        #expect(merging.violations { $0.hot("a").merge($0.hot("b")) } == [])
        #expect(merging.violations { Signals.merge($0.cold("a"), $0.hot("b")) } == [])
    }

    @Test("a wrong diagram shows both lines")
    func wrong() {
        let found = merging.violations { $0.hot("a").concat($0.hot("b")) }
        #expect(found == ["merge drawn: --1-5--6--2----7| heard: --1-------2----7|"])
    }

    @Test("a line that is too short is an error")
    func tooShort() {
        let diagram = Diagram(
            """
            a    --1--2
            out  --1
            """
        )
        #expect(diagram.violations { $0.hot("a") } == ["out drawn: --1 heard: --1--2"])
    }

    @Test("a cold source may be drawn from its subscription on")
    func coldInPlace() {
        let diagram = Diagram(
            """
            a       --1--2|
            b             --3--4|
            b             ^-----!
            concat  --1--2--3--4|
            """
        )
        let found = diagram.violations { $0.cold("a").concat($0.cold("b")) }
        #expect(found == [])
    }

    @Test("subscriptions that are drawn differently are named")
    func windows() {
        let diagram = Diagram(
            """
            a              --1-2-3-|
            a              ^---!
            take(first: 2) --1-(2|)
            """
        )
        #expect(diagram.violations { $0.hot("a").take(first: 2) } == [])
        #expect(
            diagram.violations { $0.hot("a").scan(0) { $1 }.filter { $0 < 3 } } == [
                "take(first: 2) drawn: --1-(2|) heard: --1-2---|",
                "subscriptions to \"a\" drawn: ^---!; seen: ^-------!",
            ]
        )
    }

    @Test("the resulting line says when it is subscribed to and disposed of")
    func subscribing() {
        let diagram = Diagram(
            """
            a    --1--2--3--4--|
            a       ^--!
            out     ^-2!
            """
        )
        #expect(diagram.violations { $0.hot("a") } == [])
        let together = Diagram(
            """
            a    --1--2--3--4--|
            out  ^-1--(2!)
            """
        )
        #expect(together.violations { $0.hot("a") } == [])
    }

    @Test("a source may be drawn as still subscribed to at the end")
    func lasting() {
        let diagram = Diagram(
            """
            a    --1--2--3
            a    -^
            out  -^1--2--3
            """
        )
        #expect(diagram.violations { $0.hot("a") } == [])
        let found = diagram.violations { $0.hot("a").take(first: 3) }
        #expect(
            found == [
                "out drawn: --1--2--3 heard: --1--2--(3|)", "subscriptions to \"a\" drawn: -^; seen: -^------!",
            ]
        )
    }

    @Test("failures are compared by their text")
    func failures() {
        let diagram = Diagram(
            """
            a    --1--x'broken'
            out  --1--x'late'
            """
        )
        #expect(diagram.violations { $0.hot("a").mapError { _ in TestFailure("late") } } == [])
        #expect(diagram.violations { $0.hot("a") } == ["out drawn: --1--x'late' heard: --1--x'broken'"])
    }

    @Test("operators that wait run on the diagram's time")
    func time() {
        let diagram = Diagram(
            """
            self                 --1---2-----------3--
            timeout(5, .between) --1---2----x'silent'
            """
        )
        #expect(diagram.violations { $0.hot("self").timeout(.milliseconds(5), failing: "silent", on: $0.time) } == [])
    }

    @Test("objects held after the end are named")
    func held() {
        let diagram = Diagram(
            """
            a    --1---
            out  --1!
            """
        )
        #expect(
            diagram.violations { sources in
                let source = sources.hot("a")
                return Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
                    _ = source.subscribe(next: { emitter.send($0) }, failed: { _ in })
                    return nil
                }
            } == ["\"a\" is still subscribed to after the end"]
        )
    }

    @Test("an invalid diagram reports what is missing")
    func unreadable() {
        let diagram = Diagram(
            """
            a    --1--|
            b    --(1
            out  --1--|
            """
        )
        #expect(diagram.violations { $0.hot("c").merge($0.hot("a")) }.first == "the diagram has no line \"c\"")
        #expect(diagram.violations { $0.hot("b").merge($0.hot("a")) }.first?.contains("at character 3") == true)
        #expect(diagram.violations { $0.hot("a") }.first?.contains("\"b\" and \"out\"") == true)
        #expect(diagram.violations { $0.hot("a").merge($0.hot("a")) }.contains { $0.contains("twice") })
        #expect(Diagram("a --1").violations { $0.hot("a") } == ["the diagram has no line for what must come out"])
    }
}
