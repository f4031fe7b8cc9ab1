import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Bus

@Suite("The lock")
struct LockTests {
    /// Written with the lock held: Thread Sanitizer would say so if two did at once, and counts would be lost.
    private final class Guarded: @unchecked Sendable {
        let word = UnsafeMutablePointer<LockWord>.allocate(capacity: 1)
        var count = 0
        var sleepersSeen = 0

        /// How many sleep until the lock is given up, or are about to.
        var sleepers: UInt32 { word.pointee.sleepers.load(ordering: .relaxed) }

        init(isOneSided: Bool) {
            word.initialize(to: LockWord(isOneSided: isOneSided))
        }

        deinit {
            word.deinitialize(count: 1)
            word.deallocate()
        }
    }

    @Test("one at a time has it, and who sleeps for it is woken", arguments: [false, true])
    func contended(isOneSided: Bool) throws {
        let (threads, rounds) = (4, 20_000)
        let guarded = Guarded(isOneSided: isOneSided)
        let all = try (0..<threads).map { _ in
            try TestThread {
                for round in 0..<rounds {
                    LockWord.lock(guarded.word)
                    // Whoever has it first waits for the others to come, who must sleep.
                    while guarded.count == 0, guarded.sleepers < threads - 1, !RunLimit.isOver { sched_yield() }
                    guarded.count += 1
                    // Long enough for the others to fall asleep.
                    if round % 64 == 0 { sched_yield() }
                    if guarded.sleepers > 0 { guarded.sleepersSeen += 1 }
                    LockWord.unlock(guarded.word)
                }
            }
        }
        for thread in all { thread.wait() }
        #expect(guarded.count == threads * rounds)
        #expect(guarded.sleepersSeen > 0)
        #expect(guarded.sleepers == 0)
    }

    @Test("who sleeps for it has it when it is given up", arguments: [false, true])
    func woken(isOneSided: Bool) throws {
        let guarded = Guarded(isOneSided: isOneSided)
        LockWord.lock(guarded.word)
        let other = try TestThread {
            LockWord.lock(guarded.word)
            guarded.count += 1
            LockWord.unlock(guarded.word)
        }
        while guarded.sleepers == 0, !RunLimit.isOver { sched_yield() }
        #expect(guarded.sleepers == 1)
        #expect(guarded.count == 0)
        LockWord.unlock(guarded.word)
        other.wait()
        #expect(guarded.count == 1)
    }
}
