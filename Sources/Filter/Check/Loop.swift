/// A macro that goes through a list's elements or a map's keys.
struct Loop: Sendable {
    enum Result: UInt8, Sendable {
        case all
        case exists
        case existsOne
        /// A list of the results of the body.
        case map
        /// A list of the elements for which the body is true.
        case filter
        /// A map of the body's result for each key, or each index.
        case mapValues
        /// A map of the entries of the maps that the body returns.
        case mapEntries
    }

    let result: Result
    let range: Term
    /// The place of the variable. It takes the element, the key, or, where there is a second variable, the index.
    let first: Int
    let second: Int?
    /// Elements for which it is false are left out.
    let filter: Term?
    let body: Term
}
