import Filter

/// Moves a reader and libsystemd through the same files by the same steps.
struct JournalComparison {
    let seed: UInt64
    let journals: GeneratedJournals
    let paths: [JournalPath]

    init(seed: UInt64) {
        self.seed = seed
        var generator = JournalGenerator(seed: seed)
        journals = generator.journals()
        var walks = WalkGenerator(journals, seed: seed)
        paths = walks.paths()
    }

    /// A description of the first difference, or nil.
    func difference(_ open: ([String]) throws -> any JournalWalk) throws -> String? {
        let folder = try TemporaryFolder()
        let files = try journals.write(to: folder)
        for path in paths {
            if let difference = try difference(on: path, files, open) { return difference }
        }
        let left = try OpenFiles.count(in: folder)
        return left == 0 ? nil : report(paths[paths.count - 1], through: 0, "leaves \(left) files open")
    }

    private func difference(
        on path: JournalPath,
        _ files: [String],
        _ open: ([String]) throws -> any JournalWalk
    ) throws -> String? {
        let judge = try LibsystemdWalk(files: files)
        let reader = try open(files)
        if path.match != .everything {
            judge.narrow(to: path.match)
            reader.narrow(to: path.match)
        }
        for (index, step) in path.steps.enumerated() {
            let expected = Outcome(of: step, judge)
            let actual = Outcome(of: step, reader)
            guard actual != expected else { continue }
            return report(path, through: index, "libsystemd: \(expected)\nthis:       \(actual)")
        }
        return reader.hasGaps() ? report(path, through: path.steps.count - 1, "reports gaps in sound files") : nil
    }

    private enum Outcome: Equatable, CustomStringConvertible {
        case answered(Bool)
        case entry(WalkedEntry)

        init(of step: WalkStep, _ walk: any JournalWalk) {
            self = .answered(true)
            switch step {
            case .seekHead: walk.seekHead()
            case .seekTail: walk.seekTail()
            case .seekRealtime(let time): walk.seek(realtime: time)
            case .seekCursor(let cursor): self = .answered(walk.seek(cursor: cursor))
            case .testCursor(let cursor): self = .answered(walk.test(cursor: cursor))
            case .next: self = walk.next() ? .entry(walk.entry()) : .answered(false)
            case .previous: self = walk.previous() ? .entry(walk.entry()) : .answered(false)
            }
        }

        var description: String {
            switch self {
            case .answered(let answer): "\(answer)"
            case .entry(let entry): "\(entry)"
            }
        }
    }

    /// Shows the steps since the last seek, usually the only ones that matter.
    private func report(_ path: JournalPath, through index: Int, _ difference: String) -> String {
        let start = path.steps[..<index].lastIndex { $0.isSearch } ?? 0
        return """
            BUSCTL_RX_SEED=\(seed) runs these journals again:
            \(journals)
            match: \("\(path.match)".prefix(500))
            after \(start) steps: \(Self.joined(path.steps[start...index]))
            \(difference)
            """
    }

    /// Repeated steps are shown with a count.
    private static func joined(_ steps: ArraySlice<WalkStep>) -> String {
        var runs: [(step: String, count: Int)] = []
        for step in steps.map({ "\($0)" }) {
            if runs.last?.step == step {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((step, 1))
            }
        }
        return runs.map { $0.count > 1 ? "\($0.count) × \($0.step)" : $0.step }.joined(separator: ", ")
    }
}
