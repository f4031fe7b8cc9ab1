/// A mistake in an option's value, with the correction, for a person to read. The parser puts the value and the
/// option in front.
struct BadValue: Error, CustomStringConvertible {
    let description: String
}
