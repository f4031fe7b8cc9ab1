import Glibc

/// Contenders that alternate at the same job, in this process.
struct Contest {
    let name: String
    let events: Int
    /// How many times as many rounds as others, for work whose figures vary from round to round.
    var rounds = 1
    /// The checksum for this number of events. It ensures that no contender is fast because it does something else.
    let expected: (_ events: Int) -> UInt64
    let contenders: [Contender]

    /// Nanoseconds of processor time an event for each contender, after a round that is not counted. For a single
    /// thread, this equals the wall-clock time on an idle machine. On a busy machine it is what that time would have
    /// been.
    func run(_ settings: Settings) throws -> Standing {
        try runOnBothClocks(settings).cpu
    }

    /// The same, and also by wall-clock time, for work that crosses threads.
    func runOnBothClocks(_ settings: Settings) throws -> (wall: Standing, cpu: Standing) {
        let events = settings.events(events)
        var wall = contenders.map { Series(name: $0.name) }
        var cpu = wall
        for round in 0...settings.rounds * rounds {
            // Each contender comes first in turn, because one may leave work to the next.
            for index in round.isMultiple(of: 2) ? Array(contenders.indices) : contenders.indices.reversed() {
                let contender = contenders[index]
                let share = max(1, events / contender.divisor)
                let (wallStart, cpuStart) = (ContinuousClock.now, Self.processTime)
                let checksum = try contender.run(share)
                let (wallTime, cpuTime) = (ContinuousClock.now - wallStart, Self.processTime - cpuStart)
                guard checksum == expected(share) else {
                    throw Complaint("\(name): \(contender.name) handled \(share) events wrongly")
                }
                guard round > 0 else { continue }
                wall[index].samples.append(wallTime.nanoseconds / Double(share))
                cpu[index].samples.append(cpuTime / Double(share))
            }
        }
        return (try standing("\(name): wall", wall), try standing(name, cpu))
    }

    private static var processTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private func standing(_ name: String, _ series: [Series]) throws -> Standing {
        func taken(by role: BenchmarkRole) -> [Series] {
            zip(contenders, series).filter { $0.0.role == role }.map { $0.1 }
        }
        guard let ours = taken(by: .ours).first else { throw Complaint("\(name): nothing of ours is measured") }
        return Standing(
            name: name,
            unit: "ns/event",
            ours: ours,
            floor: taken(by: .floor).first,
            instead: taken(by: .instead)
        )
    }
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
