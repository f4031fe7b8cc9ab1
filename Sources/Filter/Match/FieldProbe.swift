/// A condition on the value of one field alone. A filter has lists of them; see ``CompiledFilter/probes``.
///
/// A source that keeps each distinct value once can test the values in place of all records.
package struct FieldProbe: Sendable {
    package let field: FieldDefinition
    /// Where the condition is that the value contains this text, which can be seen without an evaluation.
    package let contained: SoughtText?
    /// The condition as it was written.
    package let text: String
    private let program: CompiledProgram

    init(field: FieldDefinition, contained: SoughtText?, text: String, program: CompiledProgram) {
        self.field = field
        self.contained = contained
        self.text = text
        self.program = program
    }

    /// Whether a record with that value may be selected. So it may where the evaluation was stopped for its cost.
    package func mayHold(within budget: FilterBudget, _ read: (FieldID, Int) -> FieldValue) -> Bool {
        program.mayMatch(within: budget, read)
    }

    /// Whether a record without the field may be selected.
    var mayHoldForNothing: Bool { program.mayMatch(within: FilterBudget(program.program.limits)) { _, _ in .absent } }
}

extension CompiledFilter {
    /// Conditions on single fields that hold for every record the filter selects: of each list, one at least. None of them
    /// holds for a record without its field.
    package var probes: [[FieldProbe]] {
        ProbePlanner(fields: fields, program: program.program).probes(of: term)
    }
}

/// A text that a value has to contain.
package struct SoughtText: Sendable {
    let bytes: [UInt8]

    @inline(__always)
    package func isContained(in value: UnsafeRawBufferPointer) -> Bool {
        bytes.withUnsafeBytes { ByteText.firstOffset(of: $0, in: value) != nil }
    }
}
