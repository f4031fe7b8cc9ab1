import Bus
import BusTesting
import Glibc
import TestSupport
import Testing

/// Random chains over random sources, in virtual time. What is heard, and when, must agree with a slow and obvious
/// model of each operator.
///
/// `BUSCTL_RX_SEED` repeats one seed. `BUSCTL_RX_CHAINS` sets how many chains a run has.
@Suite("Random chains")
struct RandomChainTests {
    @Test("random chains send what their models send")
    func chains() {
        let seed = Self.number("BUSCTL_RX_SEED") ?? UInt64.random(in: 0...UInt64.max)
        let usual = UInt64(Stress.rounds(1_000, stress: 10_000))
        let count = Self.number("BUSCTL_RX_SEED") == nil ? Self.number("BUSCTL_RX_CHAINS") ?? usual : 1
        var empty = 0
        for offset in 0..<count {
            var generator = TermGenerator(seed: seed &+ offset)
            let trial = generator.trial()
            let expected = trial.expected()
            if expected.isEmpty { empty += 1 }
            guard let difference = Self.difference(trial) else { continue }
            let smallest = trial.shrunk { Self.difference($0) != nil }
            Issue.record(
                """
                BUSCTL_RX_SEED=\(seed &+ offset) runs this chain again:
                \(trial)\(difference)
                the smallest like it:
                \(smallest)\(Self.difference(smallest) ?? "")
                """
            )
            return
        }
        #expect(empty < count / 2 || count < 100, "most chains say nothing, so nothing is compared")
    }

    @Test("random chains send the same when they are paused at random")
    func paused() {
        let seed = Self.number("BUSCTL_RX_SEED") ?? UInt64.random(in: 0...UInt64.max)
        let usual = UInt64(Stress.rounds(500, stress: 10_000))
        let count = Self.number("BUSCTL_RX_SEED") == nil ? Self.number("BUSCTL_RX_CHAINS") ?? usual : 1
        for offset in 0..<count {
            var generator = TermGenerator(seed: seed &+ offset)
            let trial = generator.pausedTrial()
            guard let difference = trial.difference else { continue }
            let smallest = trial.shrunk()
            Issue.record(
                """
                BUSCTL_RX_SEED=\(seed &+ offset) runs this chain again:
                \(trial)\(difference)
                the smallest like it:
                \(smallest)\(smallest.difference ?? "")
                """
            )
            return
        }
    }

    @Test("a wrong model of any operator is detected", arguments: Operation.kinds.map(\.name))
    func faults(_ kind: String) {
        for harm in Term.Fault.Harm.allCases where harm != .value || kind != "ignoreValues" {
            let fault = Term.Fault(kind: kind, harm: harm)
            let found = (UInt64(0)..<10_000).contains { seed in
                var generator = TermGenerator(seed: seed)
                let trial = generator.trial()
                guard trial.term.uses(kind) else { return false }
                return trial.run().heard != trial.expected(fault: fault)
            }
            #expect(found, "\(fault) is not found in ten thousand chains")
        }
    }

    /// A description of the violations.
    private static func difference(_ trial: Trial) -> String? {
        let expected = trial.expected()
        let (heard, violations) = trial.run()
        guard heard != expected || !violations.isEmpty else { return nil }
        return """
                model: \(expected.joined(separator: " "))
                heard: \(heard.joined(separator: " "))
                \(violations.joined(separator: "; "))
            """
    }

    private static func number(_ variable: String) -> UInt64? {
        getenv(variable).flatMap { UInt64(String(cString: $0)) }
    }
}

extension Term {
    fileprivate func uses(_ name: String) -> Bool {
        switch self {
        case .source: false
        case .applied(_, let kind, let inputs): kind == name || inputs.contains { $0.uses(name) }
        }
    }
}
