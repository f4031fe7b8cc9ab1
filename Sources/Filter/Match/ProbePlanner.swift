/// Finds conditions on single fields that hold for every record that an expression selects.
///
/// For every part it asks, as ``MatchPlanner`` does, which condition makes the part true, or false. A part that reads
/// only one field is such a condition itself.
struct ProbePlanner {
    let fields: [FieldDefinition]
    /// The whole expression's.
    let program: Program

    /// Comparing with more values than these is slower than evaluating the whole expression.
    private static let maxAlternatives = 8

    /// More conditions than these leave hardly a record to look at.
    private static let maxConditions = 32

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

        /// Whether it may hold for another value than the field's first.
        var isOfAnyValue: Bool { if case .anyEqual = term.kind { true } else { false } }

        func text(in source: SourceText) -> String {
            let text = source.text(term.range)
            return isNegated ? "!(\(text))" : text
        }
    }

    func probes(of term: Term) -> [[FieldProbe]] {
        examine(term, when: true).conditions.compactMap { alternatives in
            let probes = alternatives.map(probe)
            return probes.contains(where: \.mayHoldForNothing) ? nil : probes
        }
    }

    private func probe(_ condition: Condition) -> FieldProbe {
        let (fields, program) = (fields, program)
        return FieldProbe(
            field: fields[condition.field],
            isOfAnyValue: condition.isOfAnyValue,
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
        guard case .call(let function, let arguments) = condition.term.kind, function.instruction == .contains,
            arguments.count == 2, arguments[0].field == condition.field, fields[condition.field].type == .string,
            case .string(let text)? = arguments[1].constant, !text.isEmpty
        else { return nil }
        return SoughtText(bytes: text)
    }

    /// A part's conditions, of which each must hold, and each is a list of alternatives.
    private struct Examined {
        var conditions: [[Condition]] = []
        var reading: Reading
    }

    /// The fields that a part of an expression reads.
    private enum Reading {
        case nothing
        /// Only this one, and of it only the first value.
        case value(Int)
        case more

        func joined(with other: Reading) -> Reading {
            switch (self, other) {
            case (.nothing, _): other
            case (_, .nothing): self
            case (.value(let field), .value(let same)) where field == same: self
            default: .more
            }
        }
    }

    /// Looks at each part once.
    private func examine(_ term: Term, when wanted: Bool) -> Examined {
        var examined: Examined
        switch term.kind {
        case .constant(.bool(let value)): return Examined(conditions: value == wanted ? [] : [[]], reading: .nothing)
        case .not(let operand): examined = examine(operand, when: !wanted)
        case .and(let terms): examined = examine(terms, when: wanted, joinedByAnd: wanted)
        case .or(let terms): examined = examine(terms, when: wanted, joinedByAnd: !wanted)
        default: examined = Examined(reading: reading(term))
        }
        if case .value(let field) = examined.reading {
            examined.conditions = [[Condition(field: field, term, when: wanted)]]
        }
        return examined
    }

    private func examine(_ terms: [Term], when wanted: Bool, joinedByAnd: Bool) -> Examined {
        let parts = terms.map { examine($0, when: wanted) }
        let reading = parts.reduce(Reading.nothing) { $0.joined(with: $1.reading) }
        guard joinedByAnd else {
            return Examined(conditions: either(terms, parts, when: wanted), reading: reading)
        }
        // Not a chain of lazy sequences: to make its type takes a tenth of the time in which the command starts.
        var conditions: [[Condition]] = []
        for part in parts { conditions += part.conditions.prefix(Self.maxConditions - conditions.count) }
        return Examined(conditions: conditions, reading: reading)
    }

    private func either(_ terms: [Term], _ parts: [Examined], when wanted: Bool) -> [[Condition]] {
        var found: [Condition] = []
        for (term, part) in zip(terms, parts) {
            // One of the values makes it true by itself.
            if wanted, case .anyEqual(let field, let operand, _) = term.kind, operand.constant != nil {
                found.append(Condition(field: field, term, when: true))
            } else if let alternatives = part.conditions.min(by: isRarer) {
                found += alternatives
            } else {
                return []
            }
            if found.count > Self.maxAlternatives { return [] }
        }
        // An index answers equality alone.
        if !found.isEmpty, found.allSatisfy(\.isOfAnyValue) { return [] }
        return [found]
    }

    /// Whether fewer records probably meet one of the first conditions. More have the number of a user or a process than a text.
    private func isRarer(_ one: [Condition], _ other: [Condition]) -> Bool {
        func cost(_ conditions: [Condition]) -> (Int, Int) {
            (conditions.count, conditions.count { fields[$0.field].type != .string })
        }
        return cost(one) < cost(other)
    }

    private func reading(_ term: Term) -> Reading {
        switch term.kind {
        case .field(let index), .presence(let index): .value(index)
        case .every, .anyEqual, .now, .failure: .more
        default: term.children.reduce(Reading.nothing) { $0.joined(with: reading($1)) }
        }
    }
}
