import Bus
import CLinux
import Foundation

/// The system resources of a process, for tests in a separate process.
package struct Residue {
    let descriptors: Int
    let threads: Int
    let bytes: Int

    /// The requested number of rounds.
    private static var rounds: Int? {
        ProcessInfo.processInfo.environment["BUSCTL_RX_ROUNDS"].flatMap { Int($0) }
    }

    /// The present state, after free memory is returned.
    static var now: Residue {
        clinux_release_free_memory()
        func entries(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }
        // Those that deliver what senders leave start when there is something, and stay.
        let threads = entries("/proc/self/task").filter { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) != "bus-delivery\n"
        }
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return Residue(
            descriptors: entries("/proc/self/fd").count,
            threads: threads.count,
            bytes: pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * 4096 } ?? 0
        )
    }

    /// Runs `body` often enough to show what it leaves behind, and ends the process: with 0 if nothing is left. A few
    /// hundred rounds show a descriptor and a thread. In the long form, or with `BUSCTL_RX_ROUNDS`, not even ten bytes
    /// may be left each time.
    ///
    /// It works on its own thread, so `body` and `settle` may wait for tasks.
    ///
    /// - Parameters:
    ///   -   - times: how often, unless `BUSCTL_RX_ROUNDS` is set.
    ///   -   - settle: returns when work elsewhere is finished. Called now and then.
    ///   -   - body: registers and drops.
    package static func exitIfLeft(
        _ times: Int = Stress.rounds(300, stress: 100_000),
        settle: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable () -> Void
    ) async -> Never {
        let code = await offThePool { look(rounds ?? times, settle, body) }
        // The result is the exit code. Trapping here would only start the debugger. The process exits at once, because
        // live objects with only weak references would look like a leak to Leak Sanitizer.
        _exit(code)
    }

    private static func look(_ times: Int, _ settle: () -> Void, _ body: () -> Void) -> CInt {
        func run(_ times: Int) {
            for number in 0..<times {
                body()
                if number % 1000 == 0 { settle() }
            }
            DeliveryThread.settle()
            settle()
        }
        run(min(5000, times))
        let before = now
        // A leak grows every time. The memory that malloc and the pools keep varies.
        var growth: [Int] = []
        var last = before
        // Too few rounds to say anything about memory.
        let isLong = (Stress.isAsked || rounds != nil) && !isSanitized
        func seemsToLeak() -> Bool { isLong && growth.allSatisfy { $0 > max(10 * times / 2, 128 * 1024) } }
        // On a busy machine, objects that are still being freed may accumulate over several checks. A leak grows in all
        // ten.
        while growth.count < 3 || (seemsToLeak() && growth.count < 10) {
            run(times / 2)
            let next = now
            growth.append(next.bytes - last.bytes)
            last = next
        }
        // Threads of Dispatch's pool end after they have been idle for a while.
        while last.descriptors > before.descriptors || last.threads > before.threads + 4, !RunLimit.isOver {
            usleep(100_000)
            last = now
        }
        print("before: \(before), after: \(last), grown by \(growth)")
        fflush(nil)
        return last.descriptors > before.descriptors ? 1 : last.threads > before.threads + 4 ? 2 : seemsToLeak() ? 3 : 0
    }
}
