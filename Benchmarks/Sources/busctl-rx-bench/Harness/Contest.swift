/// Contenders taking turns at the same job, in this process.
struct Contest {
    let name: String
    let events: Int
    /// The checksum that handling this many events must give, so that nobody is fast by doing something else.
    let expected: (_ events: Int) -> UInt64
    let contenders: [Contender]

    /// Nanoseconds an event for each contender, after a turn that is not counted.
    func run(_ settings: Settings) throws -> Standing {
        let events = settings.events(events)
        var series = contenders.map { Series(name: $0.name) }
        for round in 0...settings.rounds {
            for (index, contender) in contenders.enumerated() {
                let share = max(1, events / contender.divisor)
                let start = ContinuousClock.now
                let checksum = try contender.run(share)
                let elapsed = ContinuousClock.now - start
                guard checksum == expected(share) else {
                    throw Complaint("\(name): \(contender.name) handled \(share) events wrongly")
                }
                if round > 0 { series[index].samples.append(elapsed.nanoseconds / Double(share)) }
            }
        }
        return try standing(series)
    }

    private func standing(_ series: [Series]) throws -> Standing {
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
