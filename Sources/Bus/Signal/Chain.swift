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

    @usableFromInline package var chain: Chain { describe() }
}

extension Chain {
    /// A chain made from the name of a signal's type: `[sequence<Array>] map → filter`.
    ///
    /// It is for a subscription of which only the type is known. A type that wraps another signal names that signal's type as
    /// its first argument.
    init(of type: any Signal.Type) {
        self.init(TypeName(String(describing: type)))
    }

    init(_ type: TypeName) {
        guard let upstream = type.upstream else {
            self.init(source: type.sourceName)
            return
        }
        // Their names and descriptions are in a value that is not kept.
        if ["NamedSignal", "DescribedSignal"].contains(type.name) {
            self.init(upstream)
        } else if type.joins {
            self.init(joining: type.arguments.prefix(2).map { Chain(TypeName($0)) }, by: type.operatorName)
        } else {
            self = Chain(upstream).appending(type.operatorName)
        }
    }
}

/// The name of a type and the names of its generic arguments.
struct TypeName {
    let name: String
    let arguments: [String]

    init(_ text: String) {
        guard let start = text.firstIndex(of: "<"), text.last == ">" else {
            name = text
            arguments = []
            return
        }
        name = String(text[..<start])
        arguments = Self.split(text[text.index(after: start)...].dropLast())
    }

    /// Splits at the commas that are in no bracket.
    private static func split(_ text: Substring) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var previous: Character = " "
        for character in text {
            defer { previous = character }
            switch character {
            case "<", "(", "[", "{": depth += 1
            // Not the arrow of a function type.
            case ">" where previous == "-": break
            case ">", ")", "]", "}": depth -= 1
            case "," where depth == 0:
                parts.append(part)
                part = ""
                continue
            case " " where part.isEmpty: continue
            default: break
            }
            part.append(character)
        }
        return part.isEmpty ? parts : parts + [part]
    }

    /// The type of the signal that it wraps, if it wraps one.
    var upstream: TypeName? {
        guard let first = arguments.first else { return nil }
        let upstream = TypeName(first)
        return isTransduced || upstream.isSignal ? upstream : nil
    }

    /// Whether it is made of a signal and a step, whatever their names.
    private var isTransduced: Bool { name == "TransducedSignal" || name == "FlushingSignal" }

    private var isSignal: Bool {
        name.hasSuffix("Signal") || name.hasSuffix("Subject") || Self.otherSignals.contains(name)
    }

    private static let otherSignals: Set<String> = [
        "TopicValues", "TopicEnvelopes", "PropertyValues", "PropertyChanges", "FollowedValues", "CommandExecution",
        "LifetimeEnd",
    ]

    /// Whether it stands for two signals of equal rank.
    var joins: Bool { name.hasSuffix("PairSignal") }

    /// The name of an operator of this type.
    var operatorName: String {
        if arguments.count > 1, isTransduced || Self.steppers.contains(name) {
            let step = TypeName(arguments[1]).name
            return Self.steps[step] ?? Self.lowercased(step)
        }
        if joins { return Self.lowercased(String(name.dropLast("PairSignal".count))) }
        return Self.others[name] ?? Self.lowercased(withoutSuffix)
    }

    /// The name of a source of this type.
    var sourceName: String {
        let name = Self.lowercased(withoutSuffix)
        guard let first = arguments.first else { return name }
        return "\(name)<\(TypeName(first).name)>"
    }

    private var withoutSuffix: String { name.hasSuffix("Signal") ? String(name.dropLast("Signal".count)) : name }

    private static func lowercased(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    /// Signals whose second argument names the operator.
    private static let steppers: Set<String> = ["HoldingSignal", "LineSignal", "SinceSubscribingSignal"]

    /// Signals whose names differ from the operators they make.
    private static let others = [
        "DeliverOnSignal": "deliver(on:)", "SubscribeOnSignal": "subscribe(on:)", "SampleSignal": "sample(when:)",
        "TakeUntilSignal": "take(until:)", "TakeUntilReplacementSignal": "take(untilReplacement:)",
        "TakeForSignal": "take(for:)",
        "SkipUntilSignal": "skip(until:)", "WithLatestSignal": "withLatest(from:)", "RetryWhenSignal": "retry(when:)",
    ]

    /// Steps whose names differ from the operators they make.
    private static let steps = [
        "Mapping": "map", "CompactMapping": "compactMap", "ConstantMapping": "replaceValues(with:)",
        "AttemptMapping": "attemptMap",
        "ErrorMapping": "mapError", "Filtering": "filter", "Ignoring": "ignore", "Scanning": "scan",
        "ScanningInto": "scan(into:)",
        "Enumerating": "enumerated", "Pairing": "pairwise", "Materializing": "materialize",
        "Dematerializing": "dematerialize",
        "Reducing": "reduce", "Folding": "reduce(into:)", "Collecting": "collect", "Grouping": "collect",
        "TakingFirst": "take(first:)",
        "TakingLast": "take(last:)", "TakingWhile": "take(while:)", "TakingUntilMatch": "take(until:)",
        "TakingElement": "element(at:)",
        "TakingSingle": "single", "SkippingFirst": "skip(first:)", "SkippingLast": "skip(last:)",
        "SkippingWhile": "skip(while:)",
        "DuplicateRemoving": "removeDuplicates", "RepetitionRemoving": "unique", "ValueIgnoring": "ignoreValues",
        "LossIgnoring": "ignoreLosses",
        "FailurePromoting": "promoteFailure", "ErrorReplacement": "replaceError", "EmptyReplacing": "replaceEmpty",
    ]
}
