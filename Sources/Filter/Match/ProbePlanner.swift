/// Finds conditions on single fields that hold for every record that an expression selects.
///
/// For every part it asks, as ``MatchPlanner`` does, which condition makes the part true, or false. A part that reads
/// only one field is such a condition itself.
struct ProbePlanner {
    let fields: [FieldDefinition]
    /// The whole expression's.
    let program: Program

    /// Comparing with more values than these is slower than evaluating the whole expression.
    private static let mostAlternatives = 8

    private struct Condition: Sendable {
        let field: Int
        let term: Term

        /// - Parameter wanted: whether the term is to be true.
        init(field: Int, _ term: Term, when wanted: Bool) {
            self.field = field
            self.term = wanted ? term : Term(kind: .not(term), type: .bool, range: term.range)
            isNegated = !wanted
        }

        private let isNegated: Bool

        func text(in source: SourceText) -> String {
            let text = source.text(term.range)
            return isNegated ? "!(\(text))" : text
        }
    }

    func probes(of term: Term) -> [[FieldProbe]] {
        conditions(term, when: true).compactMap { alternatives in
            let probes = alternatives.map(probe)
            return probes.contains(where: \.mayHoldForNothing) ? nil : probes
        }
    }

    private func probe(_ condition: Condition) -> FieldProbe {
        let (fields, program) = (fields, program)
        return FieldProbe(
            field: fields[condition.field],
            contained: contained(condition),
            text: condition.text(in: program.source)
        ) {
            CompiledProgram(
                Program(
                    condition.term,
                    fields: fields,
                    slotCount: program.slotCount,
                    source: program.source,
                    limits: program.limits
                )
            )
        }
    }

    private func contained(_ condition: Condition) -> SoughtText? {
        guard case .call(.contains, let arguments) = condition.term.kind, arguments.count == 2,
            arguments[0].field == condition.field, fields[condition.field].type == .string,
            case .string(let text)? = arguments[1].constant, !text.isEmpty
        else { return nil }
        return SoughtText(bytes: text)
    }

    /// Each must hold; each is a list of alternatives.
    private func conditions(_ term: Term, when wanted: Bool) -> [[Condition]] {
        if case .constant(.bool(let value)) = term.kind { return value == wanted ? [] : [[]] }
        var read = Reading()
        read.add(term)
        if read.isOfValueAlone, read.fields.count == 1, let field = read.fields.first,
            !fields[field].hasAlternatives
        {
            return [[Condition(field: field, term, when: wanted)]]
        }
        switch term.kind {
        case .not(let operand): return conditions(operand, when: !wanted)
        case .and(let terms) where wanted, .or(let terms) where !wanted:
            return terms.flatMap { conditions($0, when: wanted) }
        case .or(let terms), .and(let terms): return either(terms, when: wanted)
        default: return []
        }
    }

    private func either(_ terms: [Term], when wanted: Bool) -> [[Condition]] {
        var found: [Condition] = []
        for term in terms {
            guard let alternatives = conditions(term, when: wanted).min(by: { $0.count < $1.count }) else { return [] }
            found += alternatives
        }
        return found.count <= Self.mostAlternatives ? [found] : []
    }

    /// The fields that a part of an expression reads.
    private struct Reading {
        var fields: Set<Int> = []
        /// Whether only the fields' first values matter.
        var isOfValueAlone = true

        mutating func add(_ term: Term) {
            switch term.kind {
            case .field(let index), .presence(let index): fields.insert(index)
            case .every, .anyEqual, .now, .failure: isOfValueAlone = false
            default: break
            }
            for child in term.children { add(child) }
        }
    }
}
