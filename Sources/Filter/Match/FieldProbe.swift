/// A condition on the value of one field alone. A filter has lists of them; see ``CompiledFilter/probes``.
///
/// A source that keeps each distinct value once can test the values in place of all records.
package struct FieldProbe: Sendable {
    package let field: FieldDefinition
    /// Whether it may hold for another value than the field's first.
    package let isOfAnyValue: Bool
    /// The text, if the condition is that the value contains this text; it can be tested without an evaluation.
    package let contained: SoughtText?
    /// The condition as it was written.
    package let text: String
    private let program: CompiledProgram
    private let makeProgram: @Sendable () -> CompiledProgram

    init(
        field: FieldDefinition,
        isOfAnyValue: Bool,
        contained: SoughtText?,
        text: String,
        program makeProgram: @escaping @Sendable () -> CompiledProgram
    ) {
        self.field = field
        self.isOfAnyValue = isOfAnyValue
        self.contained = contained
        self.text = text
        self.makeProgram = makeProgram
        program = makeProgram()
    }

    /// The same with memory of its own: threads that use one program at once lose time by contending for its
    /// reference count.
    package var copy: FieldProbe {
        FieldProbe(
            field: field,
            isOfAnyValue: isOfAnyValue,
            contained: contained,
            text: text,
            program: makeProgram
        )
    }

    /// Whether a record with that value may be selected. True also where the evaluation was stopped for its cost.
    package func mayHold(within budget: FilterBudget, _ read: (FieldID, Int) -> FieldValue) -> Bool {
        program.mayMatch(within: budget, read)
    }

    /// Whether a record without the field may be selected.
    var mayHoldForNothing: Bool { program.mayMatch(within: FilterBudget(program.program.limits)) { _, _ in .absent } }
}

extension CompiledFilter {
    /// Conditions on single fields that hold for every record that the filter selects: of each list, at least one.
    /// None of them holds for a record without its field.
    package var probes: [[FieldProbe]] {
        ProbePlanner(fields: fields, program: program.program).probes(of: term)
    }
}

/// A text that a value has to contain.
package struct SoughtText: Sendable {
    package let bytes: [UInt8]

    /// Takes the text from the caller's memory, so that threads share nothing.
    @inline(__always)
    package static func isContained(_ text: UnsafeRawBufferPointer, in value: UnsafeRawBufferPointer) -> Bool {
        ByteText.firstOffset(of: text, in: value) != nil
    }
}
