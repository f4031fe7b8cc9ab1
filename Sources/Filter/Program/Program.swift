/// A compiled expression: instructions, constants and patterns, never changed after it is made.
// Sendable: every pointer is written in init, only read after it, and freed in deinit.
final class Program: @unchecked Sendable {
    let instructions: UnsafePointer<Instruction>
    let operands: UnsafePointer<Int32>
    let constants: UnsafePointer<Value>
    let patterns: UnsafePointer<Pattern>
    let fieldIDs: UnsafePointer<FieldID>
    /// Of every function, in the order of the table.
    let calls = Function.calls
    let root: Int32
    let slotCount: Int
    let limits: FilterLimits

    /// The place of each instruction in the source.
    let ranges: [SourceRange]
    let source: SourceText

    /// Patterns that come from records.
    let cache = PatternCache()

    /// Keeps the handles in `patterns` alive.
    private let expressions: [RegularExpression]
    /// Owns the memory that `constants` points to.
    private let arena: Arena

    /// The parts of a regular expression that an instruction needs, without a reference to count.
    struct Pattern: BitwiseCopyable {
        let handle: OpaquePointer
        /// Instructions that RE2 may look at for each byte.
        let size: Int
    }

    init(_ term: Term, fields: [FieldDefinition], slotCount: Int, source: SourceText, limits: FilterLimits) {
        var layout = ProgramLayout()
        root = layout.emit(term)
        var arena = Arena()
        var constants: [Value] = []
        for constant in layout.constants { constants.append(arena.value(constant)) }

        instructions = Self.stored(layout.instructions)
        operands = Self.stored(layout.operands)
        patterns = Self.stored(layout.patterns.map { Pattern(handle: $0.handle, size: $0.size) })
        fieldIDs = Self.stored(fields.map(\.id))
        self.constants = Self.stored(constants)
        self.arena = arena
        self.source = source
        self.slotCount = slotCount
        self.limits = limits
        ranges = layout.ranges
        expressions = layout.patterns
    }

    deinit {
        instructions.deallocate()
        operands.deallocate()
        constants.deallocate()
        patterns.deallocate()
        fieldIDs.deallocate()
    }

    /// All element types are trivial, so that deallocating is enough.
    private static func stored<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element> {
        let buffer = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        buffer.initialize(from: elements, count: elements.count)
        return UnsafePointer(buffer)
    }
}
