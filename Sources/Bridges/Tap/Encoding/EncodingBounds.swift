package import Bus

/// The limits for the size and the depth of one value's text, and the parts of it that are hidden.
package struct EncodingBounds: Sendable {
    /// Objects and lists within each other.
    package var depth = 64
    /// Bytes of JSON.
    package var size = 64 << 10
    /// Whether the part at a path is hidden; see ``TapOptions/redact``.
    package var redact: (@Sendable (_ topic: TopicName, _ path: [String]) -> Bool)?

    package init() {}
}

/// Why a value has no JSON.
enum EncodingProblem: Error, Hashable, CustomStringConvertible {
    case tooLarge
    case tooDeep(Int)
    /// Its `encode(to:)` writes in a way that makes no JSON.
    case malformed(String)

    var description: String {
        switch self {
        case .tooLarge: "the value is too large"
        case .tooDeep(let depth): "the value has more than \(depth) levels"
        case .malformed(let reason): reason
        }
    }
}

/// The state that all the writers of one value share.
final class EncodingRun {
    let bounds: EncodingBounds
    // Used by one thread, and not lent to code that is called meanwhile.
    @exclusivity(unchecked) private(set) var topic: TopicName
    /// The first problem. It stays, even if the value's own `encode(to:)` catches the error, because the text after
    /// it is incomplete.
    @exclusivity(unchecked) private(set) var problem: EncodingProblem?
    /// Bytes written so far by all writers.
    @exclusivity(unchecked) private var size = 0

    init(_ bounds: EncodingBounds, _ topic: TopicName) {
        self.bounds = bounds
        self.topic = topic
    }

    /// Turns to another value.
    func reset(_ topic: TopicName) {
        self.topic = topic
        problem = nil
        size = 0
    }

    func fail(_ problem: EncodingProblem) -> EncodingProblem {
        if self.problem == nil { self.problem = problem }
        return self.problem ?? problem
    }

    /// Counts by how much a writer's content has grown or shrunk.
    func count(_ change: Int) throws {
        size += change
        if let problem { throw problem }
        if size > bounds.size { throw fail(.tooLarge) }
    }
}
