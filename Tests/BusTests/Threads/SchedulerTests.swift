import Bus
import BusTesting
import Glibc
import TestSupport
import Testing

@Suite("Schedulers")
struct SchedulerTests {
    @Test("a pool starts no more threads than allowed, and runs everything")
    func bounded() {
        let pool = ConcurrentScheduler(name: "pool", threads: 3)
        let threads = Lock<Set<UInt>>([])
        let running = Lock((now: 0, most: 0))
        let left = Lock(1_000)
        let (allGiven, done) = (Latch(), Latch())
        for _ in 0..<1_000 {
            pool.schedule {
                running.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                // Nothing finishes until everything was submitted and all threads have started that ever will.
                allGiven.wait()
                _ = threads.withLock { $0.insert(pthreadSelf()) }
                running.withLock { $0.now -= 1 }
                let isLast = left.withLock { left -> Bool in
                    left -= 1
                    return left == 0
                }
                if isLast { done.open() }
            }
        }
        while running.withLock({ $0.now }) < 3, !RunLimit.isOver { sched_yield() }
        // A thread too many would take a piece of work now.
        for _ in 0..<2_000 { sched_yield() }
        allGiven.open()
        done.wait()
        #expect(threads.withLock { $0.count } <= 3)
        #expect(running.withLock { $0.most } <= 3)
    }

    @Test("pieces of work run at the same time")
    func concurrent() {
        let pool = ConcurrentScheduler(name: "pool", threads: 2)
        let (first, second) = (Latch(), Latch())
        let done = Latch()
        // Each waits for the other, so one thread would wait for ever.
        pool.schedule {
            first.open()
            second.wait()
        }
        pool.schedule {
            second.open()
            first.wait()
            done.open()
        }
        done.wait()
    }

    @Test("a pool recognizes its own threads")
    func isCurrent() {
        let pool = ConcurrentScheduler(name: "pool", threads: 2)
        let answers = Log<Bool>()
        let done = Latch()
        pool.schedule {
            answers.append(pool.isCurrent)
            done.open()
        }
        done.wait()
        #expect(answers.entries == [true])
        #expect(!pool.isCurrent)
    }

    @Test("work submitted before a scheduler is released still runs")
    func released() {
        let done = Latch()
        do {
            let pool = ConcurrentScheduler(name: "pool", threads: 2)
            let left = Lock(100)
            for _ in 0..<100 {
                pool.schedule {
                    let isLast = left.withLock { left -> Bool in
                        left -= 1
                        return left == 0
                    }
                    if isLast { done.open() }
                }
            }
        }
        done.wait()
    }

    @Test("deliver(on:) keeps its order on a pool")
    func orderOnPool() {
        let pool = ConcurrentScheduler(name: "pool", threads: 4)
        let count = Stress.rounds(20_000, stress: 100_000)
        let recorder = onOwnThread {
            Recorder(Signals.from(0..<count).deliver(on: pool, limit: 64))
        }
        recorder?.waitForEnd()
        let arrivedAll = areAscending(recorder?.values, count)
        #expect(arrivedAll)
        #expect(recorder?.violations == [])
    }

    @Test("an actor's scheduler runs in order, isolated to it")
    func actor() async {
        actor Register {
            var numbers: [Int] = []
            func append(_ number: Int) { numbers.append(number) }
        }
        let register = Register()
        let scheduler = ActorScheduler(register)
        let (done, signalDone) = AsyncStream.makeStream(of: Void.self)
        for number in 0..<1_000 {
            scheduler.schedule { register.assumeIsolated { $0.append(number) } }
        }
        scheduler.schedule { signalDone.finish() }
        for await _ in done {}
        let arrivedAll = areAscending(await register.numbers, 1_000)
        #expect(arrivedAll)
    }

    @Test("a serial executor's scheduler runs in order, on it")
    func serialExecutor() async {
        let thread = ThreadScheduler(name: "executor")
        let scheduler = ExecutorScheduler(SerialThreadExecutor(thread: thread) as any SerialExecutor)
        let (log, elsewhere) = (Log<Int>(), Log<Int>())
        for number in 0..<1_000 {
            scheduler.schedule {
                log.append(number)
                if !thread.isCurrent { elsewhere.append(number) }
            }
        }
        await offThePool { scheduler.settle() }
        let arrivedAll = areAscending(log.entries, 1_000)
        #expect(arrivedAll)
        #expect(elsewhere.entries == [])
    }

    @Test("a task executor's scheduler runs in order, on it")
    func taskExecutor() async {
        let thread = ThreadScheduler(name: "executor")
        let scheduler = ExecutorScheduler(ThreadExecutor(thread: thread) as any TaskExecutor)
        let (log, elsewhere) = (Log<Int>(), Log<Int>())
        for number in 0..<1_000 {
            scheduler.schedule {
                log.append(number)
                if !thread.isCurrent { elsewhere.append(number) }
            }
        }
        await offThePool { scheduler.settle() }
        let arrivedAll = areAscending(log.entries, 1_000)
        #expect(arrivedAll)
        #expect(elsewhere.entries == [])
    }
}

/// A thread as a task executor.
private final class ThreadExecutor: TaskExecutor {
    private let thread: ThreadScheduler

    init(thread: ThreadScheduler) {
        self.thread = thread
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.schedule { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A thread as a serial executor.
private final class SerialThreadExecutor: SerialExecutor {
    private let thread: ThreadScheduler

    init(thread: ThreadScheduler) {
        self.thread = thread
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.schedule { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
