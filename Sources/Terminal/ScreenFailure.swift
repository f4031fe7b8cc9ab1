/// Why there is no screen.
package struct ScreenFailure: Error, Equatable, CustomStringConvertible {
    /// A message for a person.
    package let description: String
}
