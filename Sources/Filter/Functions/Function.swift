/// A function of the language: one row of its table.
struct Function: Sendable {
    typealias Arguments = UnsafeBufferPointer<Value>
    typealias Implementation = @Sendable (_ arguments: Arguments, _ state: inout Evaluation) -> CallResult

    /// What each call costs before it begins. An implementation pays for whatever else its work depends on.
    enum Price: Sendable {
        case free
        case fixed(Int)
        /// One unit for each byte of the first argument, if that is text.
        case text
    }

    /// The part of a function that an evaluation needs.
    struct Call: Sendable {
        let price: Price
        let implementation: Implementation

        @inline(__always)
        func callAsFunction(_ arguments: Arguments, _ state: inout Evaluation) -> CallResult {
            switch price {
            case .free: break
            case .fixed(let cost): guard state.allowance.pay(cost) else { return .failure(.tooCostly) }
            case .text:
                guard case .string(let text) = arguments[0] else { break }
                guard state.allowance.pay(text.count) else { return .failure(.tooCostly) }
            }
            return implementation(arguments, &state)
        }
    }

    /// What the checker does beyond comparing types with the signatures.
    enum Rule: Sendable {
        case none
        /// The result is the argument, of any type.
        case dynamic
        /// Takes numbers of any types, or one list of them.
        case numbers
        /// The second argument is a regular expression. A constant one is compiled along with the expression.
        case pattern
        /// The second argument is the name of a time zone.
        case zone
        /// The first argument is a format, the second the list of its values.
        case format
        /// A constant text is replaced by the value that it stands for.
        case time, duration, address, network
    }

    /// The CEL name, with its namespace.
    let name: String
    let signatures: [Signature]
    let rule: Rule
    /// Arguments as they are written, for a person who got them wrong.
    let example: String?
    /// Whether it is an instruction of its own and never called: a filter is likely to use it on every record.
    let instruction: Instruction.Operation?
    let call: Call
    /// Its place in `all`.
    fileprivate(set) var place: UInt8 = 0

    init(
        _ name: String,
        _ forms: [Signature]...,
        price: Price = .free,
        rule: Rule = .none,
        example: String? = nil,
        call implementation: @escaping Implementation
    ) {
        self.name = name
        signatures = forms.flatMap(\.self)
        self.rule = rule
        self.example = example
        instruction = nil
        call = Call(price: price, implementation: implementation)
    }

    init(
        _ name: String,
        _ forms: [Signature]...,
        rule: Rule = .none,
        example: String,
        instruction: Instruction.Operation
    ) {
        self.name = name
        signatures = forms.flatMap(\.self)
        self.rule = rule
        self.example = example
        self.instruction = instruction
        call = Call(price: .free) { _, _ in .failure(.noOverload) }
    }

    /// Every function, in the order of the table.
    static let all: [Function] = table.enumerated().map { place, function in
        var function = function
        function.place = UInt8(place)
        return function
    }

    /// What a call needs of each function of `all`, without the rest to count references of.
    // Written here once, only read after it, and never freed.
    nonisolated(unsafe) static let calls: UnsafePointer<Call> = {
        let calls = UnsafeMutablePointer<Call>.allocate(capacity: all.count)
        calls.initialize(from: all.map(\.call), count: all.count)
        return UnsafePointer(calls)
    }()

    private static let places = Dictionary(uniqueKeysWithValues: all.map { ($0.name, Int($0.place)) })

    static func named(_ name: String) -> Function? {
        places[name].map { all[$0] }
    }

    static let namespaces: Set<String> = Set(all.map { String($0.namespace) }).subtracting([""])

    /// `math` of `math.abs`; empty for most.
    var namespace: Substring {
        name.firstIndex(of: ".").map { name[..<$0] } ?? ""
    }

    /// Whether any of its forms is written `f(x)`.
    var isGlobal: Bool { signatures.contains { !$0.isMember } }

    /// Whether any of its forms is written `x.f()`.
    var isMember: Bool { signatures.contains(where: \.isMember) }

    /// How it is written, for a person who got it wrong.
    func usage(on receiver: String? = nil) -> String {
        if !isMember || (isGlobal && receiver == nil) {
            return "\(name)(\(example ?? (signatures.first?.parameters.isEmpty == true ? "" : "x")))"
        }
        return "\(receiver ?? "x").\(name)(\(example ?? ""))"
    }
}

/// One form of a function: the types it takes, a receiver first, and the type of its result.
struct Signature: Sendable {
    let parameters: [StaticType]
    let result: StaticType
    /// Whether it is written `x.f(y)`, and not `f(x, y)`.
    let isMember: Bool
    /// Whether the last parameter may be given any number of times, at least once.
    var isVariadic = false

    func takes(_ count: Int) -> Bool {
        isVariadic ? count >= parameters.count : count == parameters.count
    }

    func parameter(at index: Int) -> StaticType {
        parameters[min(index, parameters.count - 1)]
    }
}

extension [Signature] {
    /// `f(x, y)`.
    static func global(_ parameters: StaticType..., to result: StaticType) -> [Signature] {
        [Signature(parameters: parameters, result: result, isMember: false)]
    }

    /// `x.f(y)`.
    static func member(_ parameters: StaticType..., to result: StaticType) -> [Signature] {
        [Signature(parameters: parameters, result: result, isMember: true)]
    }

    /// `f(x)` for each of the types.
    static func globals(_ operands: StaticType..., to result: StaticType) -> [Signature] {
        operands.map { Signature(parameters: [$0], result: result, isMember: false) }
    }

    /// `x.f()` for each of the types.
    static func members(_ operands: StaticType..., to result: StaticType) -> [Signature] {
        operands.map { Signature(parameters: [$0], result: result, isMember: true) }
    }

    /// Any number of values.
    static let variadic = [Signature(parameters: [.dynamic], result: .dynamic, isMember: false, isVariadic: true)]
}
