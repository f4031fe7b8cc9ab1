/// How a filter was understood and how it will be answered, for a person who asks why it selects certain records.
public struct FilterExplanation: Sendable, CustomStringConvertible {
    /// The expression from the outside in, every part with its type.
    public let tree: ExplainedPart

    /// The fields that will be read from a record.
    public let fields: [FieldDefinition]

    /// The part that the source's index is asked for.
    public let match: Match

    /// The conditions, joined by `&&`, that the index cannot answer.
    public let remaining: [String]

    /// Conditions on single values that hold for every record that the filter selects: of each list, at least one. A
    /// source that keeps each distinct value once may test values with them, and look only at the records of the
    /// values that pass.
    public let values: [[String]]

    /// The cost of one evaluation; see ``FilterLimits/cost``.
    public let cost: CostEstimate

    /// See ``CompiledFilter/warnings``.
    public let warnings: [FilterWarning]

    /// Several lines, without a line break at the end.
    public var description: String {
        let index = match == .everything ? "nothing, so that every record is looked at" : "\(match)"
        let rest =
            match == .everything
            ? ""
            : remaining.isEmpty
                ? "\nThe whole filter is checked again on what the index finds."
                : "\nThe whole filter is checked again on what the index finds, which says nothing about:\n"
                    + remaining.map { "  " + DisplayWidth.printable($0) }.joined(separator: "\n")
        let names = fields.map { DisplayWidth.printable($0.name) }
        let doubts = warnings.map { "\nWarning: \($0)" }.joined()
        return """
            \(tree.lines().joined(separator: "\n"))

            Fields read: \(names.isEmpty ? "none" : names.joined(separator: ", "))
            Asked of the index: \(index)\(rest)\(valuesText)
            Cost of one evaluation: at least \(cost.min), \(cost.max.map { "at most \($0)" } ?? "more with longer texts or lists")\(doubts)
            """
    }
}

extension FilterExplanation {
    private var valuesText: String {
        guard !values.isEmpty else { return "" }
        return "\nTested once for each value, where that is faster:\n"
            + values.map { "  " + $0.map(DisplayWidth.printable).joined(separator: " or ") }.joined(separator: "\n")
    }
}

extension CompiledFilter {
    /// How the filter was understood.
    ///
    /// - Parameter match: the part that the source will ask its index for, where that is less than ``match``.
    public func explain(askingIndexFor match: Match? = nil) -> FilterExplanation {
        let conditions: [Term] = if case .and(let terms) = term.kind { terms } else { [term] }
        return FilterExplanation(
            tree: ExplainedPart(term, fields: fields, source: program.program.source),
            fields: fields,
            match: match ?? self.match,
            remaining: conditions.filter { planner.match(for: $0) == .everything }
                .map { program.program.source.text($0.range) },
            values: probes.map { $0.map(\.text) },
            cost: CostEstimator.estimate(term).cost,
            warnings: warnings
        )
    }
}
