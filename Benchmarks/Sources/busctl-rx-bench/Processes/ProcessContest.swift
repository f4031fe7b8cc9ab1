import Foundation

/// Programs that alternate at the same job.
struct ProcessContest {
    struct Contender {
        let role: BenchmarkRole
        let name: String
        let command: Command

        static func ours(_ command: Command) -> Contender {
            Contender(role: .ours, name: "busctl-rx", command: command)
        }

        static func floor(_ name: String, _ command: Command) -> Contender {
            Contender(role: .floor, name: name, command: command)
        }

        static func instead(_ name: String, _ command: Command) -> Contender {
            Contender(role: .instead, name: name, command: command)
        }
    }

    let name: String
    let contenders: [Contender]
    /// Whether all must print the same bytes, and at least one.
    let comparesOutput: Bool

    /// The standing of our program in each measured quantity.
    struct Outcome {
        let wall: Standing
        let cpu: Standing
        let peak: Standing

        /// The same for runs that take less than a second.
        var inMilliseconds: Outcome {
            Outcome(wall: wall.inMilliseconds, cpu: cpu.inMilliseconds, peak: peak)
        }
    }

    func run(_ settings: Settings, rounds: Int) throws -> Outcome {
        if comparesOutput { try compareOutput(settings) }
        var usages = contenders.map { _ in [Command.Usage]() }
        for round in 0...rounds {
            for (index, contender) in contenders.enumerated() {
                let usage = try contender.command.run(settings)
                if round > 0 { usages[index].append(usage) }
            }
        }
        return Outcome(
            wall: standing("wall", "s", usages.map { $0.map(\.wallSeconds) }),
            cpu: standing("user + system", "s", usages.map { $0.map(\.cpuSeconds) }),
            peak: standing("peak memory", "MB", usages.map { $0.map(\.peakMegabytes) })
        )
    }

    private func standing(_ what: String, _ unit: String, _ samples: [[Double]]) -> Standing {
        let series = zip(contenders, samples).map { (role: $0.role, series: Series(name: $0.name, samples: $1)) }
        func taken(by role: BenchmarkRole) -> [Series] { series.filter { $0.role == role }.map { $0.series } }
        return Standing(
            name: "\(name): \(what)",
            unit: unit,
            ours: taken(by: .ours).first ?? Series(name: name),
            floor: taken(by: .floor).first,
            instead: taken(by: .instead)
        )
    }

    private func compareOutput(_ settings: Settings) throws {
        let file = settings.cache + "/output.\(getpid())"
        defer { unlink(file) }
        var first: Data?
        for contender in contenders {
            _ = try contender.command.run(settings, output: file)
            let output = try TextFile.bytes(file)
            guard !output.isEmpty else { throw Complaint("\(name): \(contender.name) printed nothing") }
            if let first, first != output {
                throw Complaint("\(name): \(contender.name) printed something else than \(contenders[0].name)")
            }
            first = first ?? output
        }
    }
}
