import Bus
import Glibc
import SystemdBridge
import Timers

/// Registers and drops everything many times, and reports what is left.
enum Leftovers {
    static func run(notify: String, journal: String, count: Int) {
        // One-time allocations, and memory kept by the allocator.
        repeatAll(2_000, notify, journal)
        settle()
        let before = Standing()
        repeatAll(count, notify, journal)
        settle()
        let after = Standing()
        print("descriptors \(after.descriptors - before.descriptors)")
        print("threads \(after.threads - before.threads)")
        print("kilobytes \(after.kilobytes - before.kilobytes)")
        print("signals \(after.signals == before.signals ? "as before" : "\(before.signals) then \(after.signals)")")
    }

    private static func repeatAll(_ count: Int, _ notify: String, _ journal: String) {
        let source = Subject(of: Int.self)
        for _ in 0..<count {
            let manager = ServiceManager(socket: notify, watchdogInterval: .seconds(1000), patience: .zero)
            let watchdog = manager.watchdog(gatedOn: [HealthSignal("source", within: .seconds(1), source)]).subscribe()
            let writer = JournalWriter(socket: journal, patience: .zero)
            let sink = source.write(to: writer) { JournalMessage("\($0)", priority: .debug) }.subscribe()
            source.send(1)
            _ = try? manager.notify(.ready)
            sink.dispose()
            watchdog.dispose()
        }
    }

    /// Waits until the work submitted to the timers' threads has run.
    private static func settle() {
        let ran = Parker()
        for _ in 0..<3 {
            let ticket = ran.ticket()
            TimerScheduler.shared.schedule(after: .milliseconds(50)) { ran.unpark() }
            ran.park(ticket: ticket)
        }
    }

    private struct Standing {
        let descriptors = Self.count("/proc/self/fd")
        let threads = Self.count("/proc/self/task")
        let kilobytes = Int(Self.line("VmRSS").filter { $0.isNumber }) ?? 0
        let signals = ["SigBlk", "SigIgn", "SigCgt"].map { Self.line($0) }

        private static func count(_ folder: String) -> Int {
            guard let directory = opendir(folder) else { return -1 }
            defer { closedir(directory) }
            var count = 0
            while readdir(directory) != nil { count += 1 }
            return count
        }

        private static func line(_ name: String) -> String {
            guard let file = fopen("/proc/self/status", "r") else { return "" }
            defer { fclose(file) }
            var buffer = [CChar](repeating: 0, count: 256)
            while fgets(&buffer, 256, file) != nil {
                let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if line.hasPrefix(name + ":") { return line }
            }
            return ""
        }
    }
}
