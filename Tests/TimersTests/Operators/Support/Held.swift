import Bus

/// Something that a chain holds.
final class Held: Sendable {
    /// The same signal, whose subscriptions hold this.
    func by<Source: Signal>(_ source: Source) -> AnySignal<Source.Value, Source.Failure> {
        AnySignal(source.map { value in withExtendedLifetime(self) { value } })
    }
}

/// Calls `build` with something that what it makes holds, and answers also whether that is alive.
func holding<Result>(_ build: (Held) -> Result) -> (result: Result, isAlive: () -> Bool) {
    let held = Held()
    return (build(held), { [weak held] in held != nil })
}
