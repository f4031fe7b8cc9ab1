import CLinux
import Foundation

/// What a process holds of the system: for tests in a process of their own.
package struct Residue {
    let descriptors: Int
    let threads: Int
    let bytes: Int

    /// The rounds that were asked for.
    private static var rounds: Int? {
        ProcessInfo.processInfo.environment["BUSCTL_RX_ROUNDS"].flatMap { Int($0) }
    }

    /// As it is now, with free memory given back.
    static var now: Residue {
        clinux_release_free_memory()
        func entries(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0
        }
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return Residue(
            descriptors: entries("/proc/self/fd"),
            threads: entries("/proc/self/task"),
            bytes: pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * 4096 } ?? 0
        )
    }

    /// Runs `body` often enough that what it leaves behind is seen, and ends the process: with 0 when nothing is left. A
    /// few hundred times show a descriptor and a thread. At length, or with `BUSCTL_RX_ROUNDS`, not even ten bytes may be
    /// left each time.
    ///
    /// It works on a thread of its own, so that `body` and `settle` may wait for tasks.
    ///
    /// - Parameters:
    ///   - times: how often; `BUSCTL_RX_ROUNDS` says otherwise.
    ///   - settle: returns when what goes on elsewhere is over; called now and then.
    ///   - body: registers and drops.
    package static func exitIfLeft(
        _ times: Int = Stress.rounds(300, stress: 100_000),
        settle: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable () -> Void
    ) async -> Never {
        let code = await offThePool { look(rounds ?? times, settle, body) }
        // What has happened is in the exit code: trapping here would only start the debugger. It goes at once, for this is in
        // the middle of things: what is alive and referred to weakly looks like a leak to Leak Sanitizer.
        _exit(code)
    }

    private static func look(_ times: Int, _ settle: () -> Void, _ body: () -> Void) -> CInt {
        func run(_ times: Int) {
            for number in 0..<times {
                body()
                if number % 1000 == 0 { settle() }
            }
            settle()
        }
        run(min(5000, times))
        let before = now
        // What leaks leaks every time; what malloc and the pools keep for themselves comes and goes.
        var growth: [Int] = []
        var last = before
        // So few rounds say nothing of memory.
        let isLong = (Stress.isAsked || rounds != nil) && !isSanitized
        func seemsToLeak() -> Bool { isLong && growth.allSatisfy { $0 > max(10 * times / 2, 128 * 1024) } }
        // On a busy machine, objects whose end is still under way may pile up for several looks. A leak grows in all ten.
        while growth.count < 3 || (seemsToLeak() && growth.count < 10) {
            run(times / 2)
            let next = now
            growth.append(next.bytes - last.bytes)
            last = next
        }
        // Threads of Dispatch's pool go when they have had nothing to do for a while.
        while last.descriptors > before.descriptors || last.threads > before.threads + 4, !RunLimit.isOver {
            usleep(100_000)
            last = now
        }
        print("before: \(before), after: \(last), grown by \(growth)")
        fflush(nil)
        return last.descriptors > before.descriptors ? 1 : last.threads > before.threads + 4 ? 2 : seemsToLeak() ? 3 : 0
    }
}
