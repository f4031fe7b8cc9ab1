import Bus
import BusTesting
import Dispatch
import Testing

@Suite("Sending that blocks the sender's thread")
struct BlockingSendTests {
    /// Runs `body` on a thread that the package has not started.
    private func onForeignThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "foreign").async { continuation.resume(returning: body()) }
        }
    }

    private func outcome(_ send: () throws(BlockingError) -> Bool) -> Result<Bool, BlockingError> {
        do { return .success(try send()) } catch { return .failure(error) }
    }

    @Test("a thread that waits for room loses nothing to a slow subscriber")
    func losesNothing() async {
        let subject = Subject(of: Int.self)
        let (heard, lost, done) = (Log<Int>(), Log<Int>(), Latch())
        let subscription = subject.deliver(on: ThreadScheduler(name: "slow"), limit: 4)
            .subscribe(next: { heard.append($0) }, completed: { done.open() }, lost: { lost.append($0) })
        let refusals = await onForeignThread {
            (0..<2000).filter { number in
                outcome { () throws(BlockingError) in try subject.sendBlocking(number) } != .success(true)
            }
        }
        subject.complete()
        await offThePool { done.wait() }
        #expect(refusals == [])
        #expect(heard.entries == Array(0..<2000))
        #expect(lost.entries == [])
        let afterTheEnd = await onForeignThread { outcome { () throws(BlockingError) in try subject.sendBlocking(1) } }
        #expect(afterTheEnd == .success(false))
        subscription.dispose()
    }

    @Test("it waits until there is room, and not longer")
    func waits() async {
        let subject = Subject(of: Int.self)
        let recorder = PausingRecorder(subject, after: 1)
        subject.send(1)
        let began = Latch()
        async let sent = onForeignThread {
            began.open()
            return outcome { () throws(BlockingError) in try subject.sendBlocking(2) }
        }
        await offThePool { began.wait() }
        let before = recorder.values
        #expect(before == [1])
        recorder.release()
        #expect(await sent == .success(true))
        let after = recorder.values
        #expect(after == [1, 2])
    }

    @Test("a subject that ends, or loses its only subscriber, unblocks the waiting thread", arguments: [true, false])
    func ends(byLeaving: Bool) async {
        let subject = Subject(of: Int.self)
        let recorder = PausingRecorder(subject, after: 1)
        subject.send(1)
        async let sent = onForeignThread { outcome { () throws(BlockingError) in try subject.sendBlocking(2) } }
        if byLeaving { recorder.dispose() } else { subject.complete() }
        #expect(await sent == .success(byLeaving))
        let values = recorder.values
        #expect(values == [1])
    }

    @Test("inside a task it is refused, even if there is room, and nothing is sent")
    func refusedInTask() {
        let subject = Subject(of: Int.self)
        let recorder = Recorder(subject)
        #expect(outcome { () throws(BlockingError) in try subject.sendBlocking(1) } == .failure(.insideTask))
        let values = recorder.values
        #expect(values == [])
        #expect("\(BlockingError.insideTask)".contains("sendWhenReady"))
    }

    @Test("on a thread of the package it is refused")
    func refusedOnPackageThread() async {
        let subject = Subject(of: Int.self)
        for scheduler: any Scheduler in [ThreadScheduler(name: "own"), ConcurrentScheduler(name: "own", threads: 2)] {
            let answer = await withCheckedContinuation { continuation in
                scheduler.schedule {
                    continuation.resume(returning: outcome { () throws(BlockingError) in try subject.sendBlocking(1) })
                }
            }
            #expect(answer == .failure(.onPackageThread))
        }
        #expect("\(BlockingError.onPackageThread)".contains("refused to block a thread"))
    }

    @Test("an emitter has both forms")
    func emitter() async {
        let (heard, done) = (Log<Int>(), Latch())
        let signal = Signals.create(of: Int.self, limit: 4) { emitter in
            DispatchQueue(label: "library").async {
                let refused = (0..<100).contains { number in
                    outcome { () throws(BlockingError) in try emitter.sendBlocking(number) } != .success(true)
                }
                Task {
                    for number in 100..<200 { await emitter.sendWhenReady(number) }
                    if refused { emitter.sendLoss(of: 1) }
                    emitter.complete()
                }
            }
            return nil
        }
        let subscription = signal.deliver(on: ThreadScheduler(name: "slow"), limit: 4)
            .subscribe(next: { heard.append($0) }, completed: { done.open() }, lost: { heard.append(-$0) })
        await offThePool { done.wait() }
        #expect(heard.entries == Array(0..<200))
        subscription.dispose()
    }
}
