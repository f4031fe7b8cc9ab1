import Bus
import Foundation
import Synchronization
import Timers

extension Benchmark {
    /// The cost of a timer among few and among many, its memory, and what is left when all are cancelled.
    static let timerPopulation = Benchmark(name: "timer-population") { settings, report in
        for count in [1_000, 100_000, settings.isQuick ? 1_000_000 : 10_000_000] {
            let population = try TimerPopulation(count, rounds: settings.rounds)
            report.add(population.inOrder)
            report.add(
                population.atRandom,
                bounds: count < 1_000_000 ? [] : [bound(population.atRandom, .timesFloor(atMost: 3))]
            )
            guard count >= 1_000_000 else { continue }
            report.add(population.weight, bounds: [bound(population.weight, .median(atMost: 100))])
            report.add(population.left, bounds: [bound(population.left, .median(atMost: 4))])
        }
    }

    private static func bound(_ standing: Standing, _ limit: Bound.Limit) -> Bound {
        Bound(name: standing.name, limit: limit)
    }
}

private struct TimerPopulation {
    let inOrder: Standing
    let atRandom: Standing
    let weight: Standing
    let left: Standing

    init(_ count: Int, rounds: Int) throws {
        let scheduler = try TimerScheduler(on: ThreadScheduler(name: "timers"))
        var random = Shuffler()
        let before = ProcessFigures.residentBytes
        // Created and written beforehand, because the caller's memory does not count as the timer's.
        var handles = [TimerHandle](repeating: scheduler.schedule(after: .seconds(7200)) {}, count: count)
        let withHandles = ProcessFigures.residentBytes
        for index in handles.indices { handles[index] = scheduler.schedule(after: Self.delay(&random)) {} }
        let bytes = Double(ProcessFigures.residentBytes - withHandles) / Double(count)

        let operations = 1_000_000
        var ordered = Series(name: "busctl-rx")
        var shuffled = ordered
        var floor = Series(name: "random memory, locked")
        let memory = BareNodes(count)
        for _ in 0..<max(3, rounds / 3) {
            ordered.samples.append(
                Self.time(operations) { number in
                    let index = number % count
                    handles[index].cancel()
                    handles[index] = scheduler.schedule(after: Self.delay(&random)) {}
                }
            )
            shuffled.samples.append(
                Self.time(operations) { _ in
                    let index = random.next(below: count)
                    handles[index].cancel()
                    handles[index] = scheduler.schedule(after: Self.delay(&random)) {}
                }
            )
            floor.samples.append(
                Self.time(operations) { _ in memory.replace(random.next(below: count), Self.delay(&random)) }
            )
        }
        memory.free()
        for handle in handles { handle.cancel() }
        handles = []
        // The loop's thread returns memory asynchronously.
        usleep(300_000)
        let megabytes = Double(ProcessFigures.residentBytes - before) / 1e6
        let name = "among \(count) timers"
        inOrder = Standing(name: "oldest replaced \(name)", unit: "ns", ours: ordered)
        atRandom = Standing(name: "any replaced \(name)", unit: "ns", ours: shuffled, floor: floor)
        weight = Standing(
            name: "weight of a timer \(name)",
            unit: "bytes",
            ours: Series(name: "busctl-rx", samples: [bytes])
        )
        left = Standing(
            name: "kept of \(count) cancelled",
            unit: "MB",
            ours: Series(name: "busctl-rx", samples: [megabytes])
        )
    }

    @inline(__always)
    private static func delay(_ random: inout Shuffler) -> Duration {
        .milliseconds(3_600_000 + random.next(below: 3_600_000))
    }

    private static func time(_ operations: Int, _ body: (Int) -> Void) -> Double {
        let start = ProcessFigures.processorTime
        for number in 0..<operations { body(number) }
        return (ProcessFigures.processorTime - start) / Double(operations)
    }
}

/// The least cost of replacing a random one of many timers: reading a handle, and writing a few words in its node and
/// in that node's two neighbours. A node has 48 bytes, as ours, in memory from malloc. Removing the timer and inserting
/// another take the lock that any thread's timers need. Without it the processor would fetch the memory of several
/// replacements at once.
private struct BareNodes: ~Copyable {
    private let lock = Mutex(())
    private let handles: UnsafeMutablePointer<(Int, Int, Int, Int)>
    private let nodes: UnsafeMutablePointer<(Int, Int, Int, Int, Int, Int)>
    private let count: Int

    init(_ count: Int) {
        self.count = count
        handles = .allocate(capacity: count)
        nodes = .allocate(capacity: count)
        var random = Shuffler()
        for index in 0..<count {
            (handles + index).initialize(to: (index, 0, 0, 0))
            (nodes + index).initialize(to: (0, index, random.next(below: count), random.next(below: count), 0, 0))
        }
    }

    @inline(__always)
    func replace(_ index: Int, _ delay: Duration) {
        let node = handles[index].0
        let (before, after) = lock.withLock { _ in
            let (before, after) = (nodes[node].2, nodes[node].3)
            nodes[before].3 = after
            nodes[after].2 = before
            return (before, after)
        }
        lock.withLock { _ in
            nodes[node].0 = Int(delay.components.seconds)
            (nodes[node].2, nodes[node].3) = (after, before)
        }
        handles[index].1 = node
    }

    func free() {
        handles.deallocate()
        nodes.deallocate()
    }
}

/// Cheap random numbers (xorshift), the same in every run.
private struct Shuffler {
    private var state: UInt64 = 88_172_645_463_325_252

    @inline(__always)
    mutating func next(below limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(truncatingIfNeeded: state.multipliedFullWidth(by: UInt64(limit)).high)
    }
}
