/// What is wrong with an option's value: what would have been right, for a person to read. The parser puts the value
/// and the option in front.
struct BadValue: Error, CustomStringConvertible {
    let description: String
}
