/// The mark before each line of an explanation.
package enum CatalogMark: Sendable, Hashable {
    /// `░░`
    case shade
    /// `--`, where the output is not UTF-8.
    case dashes

    var text: StaticString {
        switch self {
        case .shade: "░░"
        case .dashes: "--"
        }
    }
}
