/// How an expression is compiled. The language's conformance cases need what a filter never wants.
struct CompileOptions: Sendable {
    /// Refuse what is known to be wrong before any record is seen. Without, it fails when it is evaluated.
    var isChecked = true

    /// Refuse an expression whose result is not true or false.
    var requiresCondition = true

    /// The namespace in which names are looked up first, innermost scope last: `com.example`.
    var container = ""

    var limits = FilterLimits()
}
