/// A description of a signal: a source and the operators after it.
///
/// It reads `[journal] filter → throttle → deliver(main)`.
public struct Chain: Sendable, Hashable {
    /// The source of the values.
    public let source: String
    /// The operators, in order.
    public private(set) var operators: [String]
    /// Where the chain was named.
    public private(set) var location: CodeLocation?

    /// A chain that is only a source.
    public init(source: String, location: CodeLocation? = nil) {
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
    static func name(of scheduler: some Scheduler) -> String { scheduler.name }

    static func name(of type: Any.Type) -> String {
        // Without its generic arguments, which spell out the whole composition.
        String(String(describing: type).prefix { $0 != "<" })
    }

    /// A source that is named after its type and the type's first argument: `sequence<Array>` for
    /// `SequenceSignal<Array<Int>>`.
    init(sourceType type: Any.Type) {
        let name = Chain.name(of: type)
        var depth = 0
        let argument = String(describing: type).dropFirst(name.count + 1).prefix { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth > 0 || !"<,>".contains(character)
        }
        let stem = name.hasSuffix("Signal") ? name.dropLast("Signal".count) : name[...]
        self.init(source: stem.prefix(1).lowercased() + stem.dropFirst() + (argument.isEmpty ? "" : "<\(argument)>"))
    }
}

extension Chain: CustomStringConvertible {
    public var description: String {
        operators.isEmpty ? "[\(source)]" : "[\(source)] \(operators.joined(separator: " → "))"
    }
}

/// A signal made of others, with a description of its own instead of theirs.
@frozen
@usableFromInline
package struct DescribedSignal<Wrapped: Signal>: Signal {
    @usableFromInline package typealias Value = Wrapped.Value
    @usableFromInline package typealias Failure = Wrapped.Failure
    @usableFromInline let wrapped: Wrapped
    @usableFromInline let describe: @Sendable () -> Chain

    @inlinable
    package init(_ wrapped: Wrapped, _ describe: @escaping @Sendable () -> Chain) {
        self.wrapped = wrapped
        self.describe = describe
    }

    @inlinable
    @inline(__always)
    package func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        wrapped.subscribe(observer)
    }

    @usableFromInline package static var chain: Chain { Wrapped.chain }
    @usableFromInline package var chain: Chain { describe() }
}
