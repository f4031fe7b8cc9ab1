import Bus
import Glibc
import Records
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
            let watchdog = manager.watchdog(gatedOn: [HealthSignal("source", source, within: .seconds(1))]).subscribe()
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
        let descriptors = Self.names(in: "/proc/self/fd").count
        /// Without those that deliver what senders leave: they start when there is something, and stay.
        let threads = Self.names(in: "/proc/self/task").count {
            Self.firstLine(of: "/proc/self/task/\($0)/comm") != "bus-delivery"
        }
        let kilobytes = Int(Self.line("VmRSS").filter { $0.isNumber }) ?? 0
        let signals = ["SigBlk", "SigIgn", "SigCgt"].map { Self.line($0) }

        private static func names(in folder: String) -> [String] {
            guard let directory = opendir(folder) else { return [] }
            defer { closedir(directory) }
            var names: [String] = []
            while let entry = readdir(directory) {
                // The name ends with a zero byte within the entry.
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if !name.hasPrefix(".") { names.append(name) }
            }
            return names
        }

        private static func firstLine(of path: String) -> String {
            guard let file = fopen(path, "r") else { return "" }
            defer { fclose(file) }
            var buffer = [CChar](repeating: 0, count: 256)
            guard fgets(&buffer, 256, file) != nil else { return "" }
            return String(decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
