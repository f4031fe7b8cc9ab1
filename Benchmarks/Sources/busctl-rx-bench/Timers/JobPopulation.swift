import Bus
import Foundation
import Synchronization
import Timers

extension Benchmark {
    /// 100,000 jobs in one process that wait for their time: their memory, and their processor time while none is due.
    static let jobPopulation = Benchmark(name: "job-population") { settings, report in
        let count = settings.isQuick ? 10_000 : 100_000
        let population = try JobPopulation(count)
        let weight = Standing(
            name: "weight of a job among \(count)",
            unit: "bytes",
            ours: Series(name: "busctl-rx", samples: [population.weight])
        )
        report.add(weight, bounds: [Bound(name: weight.name, limit: .median(atMost: settings.isQuick ? 1200 : 1000))])
        let idle = Standing(
            name: "\(count) jobs that wait",
            unit: "ms of processor time a second",
            ours: Series(name: "busctl-rx", samples: [population.idle])
        )
        report.add(idle, bounds: [Bound(name: idle.name, limit: .median(atMost: 1))])
    }
}

private struct JobPopulation {
    /// Resident bytes of each job.
    let weight: Double
    /// Milliseconds of processor time in a second.
    let idle: Double

    init(_ count: Int) throws {
        // Far enough away that none comes meanwhile, and not all the same, as the calendars of different jobs are not.
        let year = Calendar(identifier: .gregorian).component(.year, from: Date()) + 1
        let calendars = try (0..<60).map { try CalendarSchedule("\(year)-*-* 2:\($0) UTC") }
        let before = ProcessFigures.residentBytes
        let store = ForgetfulStore()
        let jobs = (0..<count).map { number in
            Signals.job("job-\(number)", at: calendars[number % 60], store: store) { _ in }.subscribe(next: { _ in })
        }
        while store.count < count { usleep(10_000) }
        // The last answers of the store are behind it.
        var last = 0.0
        while ProcessFigures.processorTime - last > 1e6 {
            last = ProcessFigures.processorTime
            usleep(500_000)
        }
        weight = Double(ProcessFigures.residentBytes - before) / Double(count)
        let began = ProcessFigures.processorTime
        usleep(2_000_000)
        idle = (ProcessFigures.processorTime - began) / 2e6
        for job in jobs { job.dispose() }
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
