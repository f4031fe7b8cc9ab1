import Bus
import BusTesting
import TestSupport
import Testing

@Suite("Task-local values across a change of threads")
struct TaskContextTests {
    private enum Local {
        @TaskLocal static var request = 0
    }

    private var context: TaskContext<Int> { TaskContext(Local.$request) }

    @Test("a value heard on another thread is heard in its sender's context")
    func acrossThreads() {
        let worker = ThreadScheduler(name: "context")
        let heard = Lock<[String]>([])
        let all = Latch()
        let numbers = Subject(of: Int.self)
        let subscription = numbers.capturing(context).deliver(on: worker).bound(to: context).map {
            "\($0) in \(Local.request)"
        }
        .subscribe(next: { text in
            let count = heard.withLock {
                $0.append("\(text), \(Local.request)")
                return $0.count
            }
            if count == 3 { all.open() }
        })
        Local.$request.withValue(7) { numbers.send(1) }
        Local.$request.withValue(8) { numbers.send(2) }
        numbers.send(3)
        // A dropped subject also frees what is still queued for the worker.
        withExtendedLifetime(numbers) { all.wait() }
        #expect(heard.withLock { $0 } == ["1 in 7, 7", "2 in 8, 8", "3 in 0, 0"])
        subscription.dispose()
    }

    @Test("a sender may specify the context of a value")
    func named() {
        let posts = Subject(of: InContext<String, Int>.self)
        let heard = Recorder(posts.bound(to: context).map { "\($0) \(Local.request)" })
        posts.send(InContext("a", content: 3))
        Local.$request.withValue(4) { posts.send(InContext("b", capturing: context)) }
        posts.complete()
        #expect(heard.events == [.next("a 3"), .next("b 4"), .completed])
        #expect(
            InContext("a", content: 3) == InContext("a", content: 3)
                && InContext("a", content: 3) != InContext("a", content: 4)
        )
    }

    @Test("the end, a failure and losses are delivered outside any value's context")
    func others() {
        let source = ProbeSource<Int, TestFailure>()
        let seen = Lock<[Int]>([])
        let note: @Sendable () -> Void = { seen.withLock { $0.append(Local.request) } }
        let subscription = source.capturing(context).bound(to: context)
            .subscribe(next: { _ in note() }, failed: { _ in note() }, lost: { _ in note() })
        Local.$request.withValue(1) { source.send(1) }
        source.sendLoss(of: 2)
        Local.$request.withValue(5) { source.fail("over") }
        #expect(seen.withLock { $0 } == [1, 0, 5])
        subscription.dispose()
    }

    @Test("they keep the delivery contract")
    func contract() {
        #expect(ContractCheck("capturing") { $0[0].capturing(context).map(\.value) }.violations() == [])
        #expect(ContractCheck("bound(to:)") { $0[0].capturing(context).bound(to: context) }.violations() == [])
    }
}
