import Bus
import Glibc
import Synchronization
import Timers

/// Runs many jobs that wait for their time, and prints the resident bytes of each, those of the process, and the nanoseconds of processor
/// time that it takes in a second. A process of its own, because its memory is what is measured.
@main
struct ManyJobs {
    static func main() throws {
        let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 0
        // Far enough away that none comes meanwhile, and not all the same, as the calendars of different jobs are not.
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        let calendars = try (0..<60).map { try CalendarSchedule("\(parts.tm_year + 1901)-*-* 2:\($0) UTC") }
        let before = residentBytes
        let store = ForgetfulStore()
        let jobs = (0..<count).map { number in
            Signals.job("job-\(number)", at: calendars[number % 60], store: store) { _ in }.subscribe(next: { _ in })
        }
        while store.count < count { usleep(10_000) }
        // The last answers of the store are behind it.
        var last = 0
        while processorTime - last > 1_000_000 {
            last = processorTime
            usleep(500_000)
        }
        let after = residentBytes
        let began = processorTime
        usleep(2_000_000)
        print((after - before) / max(count, 1), after, (processorTime - began) / 2)
        for job in jobs { job.dispose() }
    }

    /// In nanoseconds, whatever else the machine does.
    private static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
    }
}

/// Takes every record and keeps none: the store's memory is not the job's.
private final class ForgetfulStore: JobStore {
    private let saved = Mutex(0)

    var count: Int { saved.withLock { $0 } }

    func load(_: String) async throws -> JobRecord? { nil }

    func save(_: JobRecord, of _: String) async throws -> Bool {
        saved.withLock { $0 += 1 }
        return true
    }
}
