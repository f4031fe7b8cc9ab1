/// The work of a timer. It is a structure because passing a bare closure as a generic type's parameter costs an
/// allocation on its way in and another on its way out.
package struct TimerWork: Sendable {
    package let run: @Sendable () -> Void

    package init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
