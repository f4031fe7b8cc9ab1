import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Bus

@Suite("The lock")
struct LockTests {
    /// Changed in two steps with the lock held. If two threads held it at once, Thread Sanitizer would report it, and
    /// counts would be lost.
    private struct Counter: ~Copyable {
        var count = 0
        var isBusy = false
        var collisions = 0
    }

    @Test("one thread at a time holds it, and every thread gets it")
    func contended() throws {
        let (threads, rounds) = (4, Stress.rounds(20_000, stress: 200_000))
        let lock = Lock(Counter())
        let all = try (0..<threads).map { _ in
            try TestThread {
                for round in 0..<rounds {
                    lock.withLock { counter in
                        if counter.isBusy { counter.collisions += 1 }
                        counter.isBusy = true
                        // The first holder keeps it until another thread waits. Later ones let others fall asleep.
                        if counter.count == 0 { wait { lock.isContended } }
                        if round % 64 == 0 { sched_yield() }
                        counter.count += 1
                        counter.isBusy = false
                    }
                }
            }
        }
        for thread in all { thread.wait() }
        let (count, collisions) = lock.withLock { ($0.count, $0.collisions) }
        #expect(count == threads * rounds)
        #expect(collisions == 0)
    }

    @Test("every thread that sleeps for it is woken", arguments: [1, 3])
    func woken(sleepers: Int) throws {
        let lock = Lock(0)
        let others = try lock.withLock { count throws -> [Sleeper] in
            let others = try (0..<sleepers).map { _ in
                try Sleeper { lock.withLock { $0 += 1 } }
            }
            wait { lock.isContended && others.allSatisfy(\.isAsleep) }
            #expect(lock.isContended)
            #expect(count == 0)
            return others
        }
        for other in others { other.wait() }
        #expect(lock.withLock { $0 } == sleepers)
        #expect(lock.isFree)
    }

    @Test("after a contended release it is uncontended again")
    func settles() throws {
        let lock = Lock(0)
        let other = try lock.withLock { _ throws -> Sleeper in
            let other = try Sleeper { lock.withLock { $0 += 1 } }
            wait { lock.isContended }
            return other
        }
        other.wait()
        lock.withLock { _ in #expect(!lock.isContended) }
        #expect(lock.isFree)
    }

    @Test("it is released when the body throws")
    func throwing() {
        struct Refused: Error {}
        let lock = Lock(0)
        #expect(throws: Refused.self) {
            try lock.withLock { count throws(Refused) in
                count += 1
                throw Refused()
            }
        }
        #expect(lock.isFree)
        #expect(lock.withLock { $0 } == 1)
    }

    @Test("its state is freed with the last copy")
    func freed() {
        final class Token: Sendable {}
        struct Holder: ~Copyable {
            let token: Token
        }
        weak var token: Token?
        do {
            let lock: Lock<Holder>
            do {
                let new = Token()
                token = new
                lock = Lock(Holder(token: new))
            }
            let copy = lock
            #expect(copy.withLock { $0.token === token })
        }
        #expect(token == nil)
    }
}

extension Lock where State: ~Copyable {
    fileprivate var isFree: Bool { storage.word.value.load(ordering: .relaxed) == LockWord.free }
    /// The lock is held, and another thread sleeps or is about to.
    fileprivate var isContended: Bool { storage.word.value.load(ordering: .relaxed) == LockWord.contended }
}

/// A thread whose sleep can be observed.
private struct Sleeper: Sendable {
    private final class Identity: Sendable {
        /// The kernel's number of the thread; 0 until it has started.
        let number = Atomic<Int>(0)
    }

    private let identity = Identity()
    private let thread: TestThread

    init(_ body: @escaping @Sendable () -> Void) throws {
        thread = try TestThread { [identity] in
            let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            identity.number.store(own?.split(separator: "/").last.flatMap { Int($0) } ?? 0, ordering: .relaxed)
            body()
        }
    }

    /// Whether the kernel reports it as asleep.
    var isAsleep: Bool {
        let number = identity.number.load(ordering: .relaxed)
        let status = try? String(contentsOfFile: "/proc/self/task/\(number)/status", encoding: .utf8)
        return status?.contains("State:\tS") ?? false
    }

    func wait() { thread.wait() }
}

/// Returns when the condition holds. Blocks the thread, which takes its next turn as soon as it can.
private func wait(until condition: () -> Bool) {
    waitUntil {
        for _ in 0..<10_000 {
            if condition() { return true }
            sched_yield()
        }
        return false
    }
}
