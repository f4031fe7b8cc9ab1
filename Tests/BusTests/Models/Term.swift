import Bus

/// A chain: an operator over chains, or a source.
indirect enum Term: Sendable, CustomStringConvertible {
    case source(SourceTerm)
    case applied(Operation, kind: String, [Term])

    func signal(_ world: World) -> Stream {
        switch self {
        case .source(let source): source.signal(world)
        case .applied(let operation, _, let inputs): operation.build(inputs.map { $0.signal(world) }, world)
        }
    }

    /// - Parameter fault: changes the meaning of one kind of operator, to test that this is detected.
    func model(_ hot: [Script], fault: Fault? = nil) -> Model {
        switch self {
        case .source(let source): return source.model(hot)
        case .applied(let operation, let kind, let inputs):
            let model = operation.model(inputs.map { $0.model(hot, fault: fault) })
            guard let fault, fault.kind == kind else { return model }
            return Model { fault.harm(model.heard($0)) }
        }
    }

    var description: String {
        switch self {
        case .source(let source): "\(source)"
        case .applied(let operation, _, let inputs):
            if inputs.count == 1 {
                "\(inputs[0]).\(operation.name)"
            } else {
                "\(operation.name)[\(inputs.map(\.description).joined(separator: "; "))]"
            }
        }
    }

    /// How many operators it has.
    var size: Int {
        switch self {
        case .source: 0
        case .applied(_, _, let inputs): inputs.reduce(1) { $0 + $1.size }
        }
    }

    /// How the meaning of an operator is changed.
    struct Fault: Sendable, CustomStringConvertible {
        enum Harm: String, Sendable, CaseIterable { case value, lateness, end }

        let kind: String
        let harm: Harm

        func harm(_ notes: [Note]) -> [Note] {
            switch harm {
            case .value: notes.map { $0.mapped { $0 &+ 1 } }
            case .lateness:
                notes.map { Note(Moment(path: [$0.moment.time + 1]), $0.event) }
            case .end: notes.filter { !$0.isEnd }
            }
        }

        var description: String { "\(kind) with a wrong \(harm)" }
    }
}
