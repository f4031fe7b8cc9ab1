/// Options for compiling an expression. The language's conformance cases need some that a filter never uses.
struct CompileOptions: Sendable {
    /// Refuse wrong expressions before any record is seen. If false, they fail when they are evaluated.
    var isChecked = true

    /// Refuse an expression whose result is not true or false.
    var requiresCondition = true

    /// The namespace in which names are looked up first, innermost scope last: `com.example`.
    var container = ""

    var limits = FilterLimits()
}
