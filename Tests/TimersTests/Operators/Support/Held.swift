import Bus

/// An object that a chain holds.
final class Held: Sendable {
    /// The same signal. Its subscriptions hold this object.
    func by<Source: Signal>(_ source: Source) -> AnySignal<Source.Value, Source.Failure> {
        AnySignal(source.map { value in withExtendedLifetime(self) { value } })
    }
}

/// Calls `build` with an object that the result will hold. Also returns whether that object is alive.
func holding<Result>(_ build: (Held) -> Result) -> (result: Result, isAlive: () -> Bool) {
    let held = Held()
    return (build(held), { [weak held] in held != nil })
}
