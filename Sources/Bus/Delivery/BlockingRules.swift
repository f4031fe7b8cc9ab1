/// Where a thread may be made to wait (delivery contract 7).
enum BlockingRules {
    /// Whether the calling thread is running a Swift task, and so belongs to the cooperative pool or an actor that
    /// must not be blocked.
    static var isInsideTask: Bool {
        withUnsafeCurrentTask { $0 != nil }
    }
}
