/// A description of a signal: a source and the operators after it.
///
/// It reads `[journal] filter → throttle → deliver(main)`.
public struct Chain: Sendable, Hashable {
    /// The place in a program where a signal was named, or subscribed to.
    public struct Location: Sendable, Hashable, CustomStringConvertible {
        public let fileID: String
        public let line: UInt

        public init(fileID: String, line: UInt) {
            self.fileID = fileID
            self.line = line
        }

        public var description: String { "\(fileID):\(line)" }
    }

    /// The source of the values.
    public let source: String
    /// The operators, in order.
    public private(set) var operators: [String]
    /// Where the chain was named.
    public private(set) var location: Location?

    /// A chain that is only a source.
    public init(source: String, location: Location? = nil) {
        self.source = source
        self.location = location
        operators = []
    }

    /// A source that is made of other signals, as `merge` is.
    public init(joining chains: [Chain], by name: String) {
        self.init(source: "\(name)(\(chains.map(\.description).joined(separator: ", ")))")
    }

    /// This chain and one more operator.
    public func appending(_ name: String) -> Chain {
        var chain = self
        chain.operators.append(name)
        return chain
    }

    /// The name of a scheduler.
    @usableFromInline
    static func name(of scheduler: some Scheduler) -> String { scheduler.description }

    static func name(of type: Any.Type) -> String {
        // Without its generic arguments, which spell out the whole composition.
        String(String(describing: type).prefix { $0 != "<" })
    }
}

extension Chain: CustomStringConvertible {
    public var description: String {
        operators.isEmpty ? "[\(source)]" : "[\(source)] \(operators.joined(separator: " → "))"
    }
}
