/// Programs that alternate at printing something. Each is ended after its first byte.
struct FirstByteContest {
    let name: String
    let contenders: [ProcessContest.Contender]

    /// Milliseconds from starting the process to the first byte, after a round that is not counted. In that round our
    /// program and its alternatives must print the same first line.
    func run(rounds: Int) throws -> Standing {
        try compareFirstLines()
        var samples = contenders.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                let run = try PipedRun(contender.command)
                defer { run.end() }
                _ = try run.read()
                samples[index].append((.now - run.start).nanoseconds / 1e6)
            }
        }
        let series = zip(contenders, samples).map { (role: $0.role, series: Series(name: $0.name, samples: $1)) }
        func taken(by role: BenchmarkRole) -> [Series] { series.filter { $0.role == role }.map { $0.series } }
        return Standing(
            name: name,
            unit: "ms",
            ours: taken(by: .ours).first ?? Series(name: name),
            floor: taken(by: .floor).first,
            instead: taken(by: .instead)
        )
    }

    private func compareFirstLines() throws {
        var first: [UInt8]?
        for contender in contenders {
            let run = try PipedRun(contender.command)
            defer { run.end() }
            var line: [UInt8] = []
            while !line.contains(UInt8(ascii: "\n")) { line += try run.read() }
            guard contender.role != .floor else { continue }
            let printed = Array(line.prefix { $0 != UInt8(ascii: "\n") })
            guard first == nil || first == printed else {
                throw Complaint("\(name): the first line of \(contender.name) is not that of \(contenders[0].name)")
            }
            first = printed
        }
    }
}
