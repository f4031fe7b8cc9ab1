import Glibc

/// Contenders taking turns at the same job, in this process.
struct Contest {
    let name: String
    let events: Int
    /// The checksum that handling this many events must give, so that nobody is fast by doing something else.
    let expected: (_ events: Int) -> UInt64
    let contenders: [Contender]

    /// Nanoseconds of processor time an event for each contender, after a turn that is not counted. Where one thread
    /// works that is the wall's time on an idle machine, and on a busy one what it would have been.
    func run(_ settings: Settings) throws -> Standing {
        try runOnBothClocks(settings).cpu
    }

    /// The same by the wall's clock too, for what crosses threads.
    func runOnBothClocks(_ settings: Settings) throws -> (wall: Standing, cpu: Standing) {
        let events = settings.events(events)
        var wall = contenders.map { Series(name: $0.name) }
        var cpu = wall
        for round in 0...settings.rounds {
            for (index, contender) in contenders.enumerated() {
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
