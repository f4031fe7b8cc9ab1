extension Benchmark {
    /// 100,000 jobs in one process that wait for their time: their memory, and their processor time while none is due.
    static let jobPopulation = Benchmark(name: "job-population") { settings, report in
        let count = settings.isQuick ? 10_000 : 100_000
        let run = try PipedRun(Command(settings.tools + "/many-jobs", "\(count)"))
        defer { run.end() }
        let line = String(decoding: try run.read(), as: UTF8.self)
        let figures = line.split { $0.isWhitespace }.compactMap { Double($0) }
        guard figures.count == 3 else { throw Complaint("many-jobs has not printed three figures") }
        for (what, unit, figure, most) in [
            ("weight of a job among \(count)", "bytes", figures[0], settings.isQuick ? 1200.0 : 900),
            ("process with \(count) jobs", "MB resident", figures[1] / 1e6, 100.0),
            ("\(count) jobs that wait", "ms of processor time a second", figures[2] / 1e6, 1.0),
        ] {
            let standing = Standing(name: what, unit: unit, ours: Series(name: "busctl-rx", samples: [figure]))
            report.add(standing, bounds: [Bound(name: what, limit: .median(atMost: most))])
        }
    }
}
