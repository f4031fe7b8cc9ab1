/// The results of a run.
struct Report {
    private(set) var standings: [Standing] = []
    private(set) var verdicts: [Bound.Verdict] = []
    private(set) var notes: [String] = []

    mutating func add(_ standing: Standing, bounds: [Bound] = []) {
        standings.append(standing)
        verdicts += bounds.map { $0.judge(standing) }
    }

    mutating func note(_ text: String) { notes.append(text) }

    var isBroken: Bool { verdicts.contains { !$0.isKept && $0.isEnforced } }

    var text: String {
        var parts = [
            figures.text,
            "Figures are medians of interleaved rounds, the least in brackets; ratios, of each round, the quartiles in brackets.",
        ]
        if !notes.isEmpty { parts.append(notes.map { "- \($0)" }.joined(separator: "\n")) }
        if !verdicts.isEmpty { parts.append(bounds.text) }
        return parts.joined(separator: "\n\n")
    }

    private var figures: Table {
        var table = Table(headings: ["what", "unit", "ours", "floor", "ours ÷ floor", "instead", "instead ÷ ours"])
        for standing in standings {
            let floor = standing.floor
            let instead: [Series?] = standing.instead.isEmpty ? [nil] : standing.instead
            for (index, peer) in instead.enumerated() {
                let isFirst = index == 0
                table.rows.append([
                    isFirst ? standing.name : "",
                    isFirst ? standing.unit : "",
                    isFirst ? standing.ours.figure : "",
                    isFirst ? floor.map { "\($0.name) \($0.figure)" } ?? "" : "",
                    isFirst ? floor.map { standing.ours.ratios(to: $0).spread } ?? "" : "",
                    peer.map { "\($0.name) \($0.figure)" } ?? "",
                    peer.map { $0.ratios(to: standing.ours).spread } ?? "",
                ])
            }
        }
        return table
    }

    private var bounds: Table {
        var table = Table(headings: ["bound", "demanded", "measured", "verdict"])
        table.rows = verdicts.map { verdict in
            let word = verdict.isKept ? "kept" : verdict.isEnforced ? "BROKEN" : "missed (not enforced here)"
            return [verdict.name, verdict.demanded, verdict.measured, word]
        }
        return table
    }
}
