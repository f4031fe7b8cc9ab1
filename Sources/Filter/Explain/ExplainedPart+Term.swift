extension ExplainedPart {
    init(_ term: Term, fields: [FieldDefinition], source: SourceText) {
        func part(_ term: Term) -> ExplainedPart { ExplainedPart(term, fields: fields, source: source) }
        func make(_ name: String, _ operands: Term...) -> ExplainedPart {
            ExplainedPart(name, term.type, operands.map(part))
        }
        func name(_ index: Int) -> String { DisplayWidth.printable(fields[index].name) }
        func field(_ index: Int) -> ExplainedPart {
            ExplainedPart(name(index), StaticType(fields[index].type))
        }
        switch term.kind {
        case .constant, .local: self = make(Self.shortened(source.text(term.range)))
        case .field(let index): self = field(index)
        case .presence(let index): self = ExplainedPart("has", .bool, [field(index)])
        case .every(let index): self = ExplainedPart("fields(\"\(name(index))\")", term.type)
        case .anyEqual(let index, let operand, let isMembership):
            self = ExplainedPart(isMembership ? "in" : "==", .bool, [field(index), part(operand)])
        case .now: self = make("now")
        case .not(let operand): self = make("!", operand)
        case .negate(let operand): self = make("-", operand)
        case .and(let terms): self = ExplainedPart("&&", term.type, terms.map(part))
        case .or(let terms): self = ExplainedPart("||", term.type, terms.map(part))
        case .conditional(let condition, let then, let otherwise): self = make("? :", condition, then, otherwise)
        case .binary(let infix, let left, let right): self = make(infix.rawValue, left, right)
        case .list(let elements):
            self = ExplainedPart("[…]", term.type, elements.map { part($0.term) })
        case .map(let entries):
            self = ExplainedPart("{…}", term.type, entries.flatMap { [part($0.key), part($0.value)] })
        case .select(let operand, let member, let access):
            let name = String(decoding: member, as: UTF8.self)
            self =
                switch access {
                case .required: make(".\(name)", operand)
                case .optional: make(".?\(name)", operand)
                case .presence: make("has(.\(name))", operand)
                }
        case .index(let operand, let key, let access):
            if case .required = access { self = make("[ ]", operand, key) } else { self = make("[? ]", operand, key) }
        case .call(let function, let arguments):
            self = ExplainedPart("\(function.name)()", term.type, arguments.map(part))
        case .matches(let operand, let pattern, _):
            let text = ExplainedPart(Self.shortened(pattern.source), .string)
            self = ExplainedPart("=~", .bool, [part(operand), text])
        case .loop(let loop):
            let parts = [loop.range, loop.filter, loop.body].compactMap { $0 }
            self = ExplainedPart("\(loop.result.name)()", term.type, parts.map(part))
        case .bind(_, let value, let body): self = make("cel.bind()", value, body)
        case .mapOptional(let target, _, let body, let isFlat):
            self = make(isFlat ? "optFlatMap()" : "optMap()", target, body)
        case .failure: self = make("(fails)")
        }
    }

    private static func shortened(_ text: String) -> String {
        let line = text.map { $0.isNewline ? " " : DisplayWidth.printable($0) }.joined()
        return line.count <= 40 ? line : line.prefix(39) + "…"
    }
}

extension Loop.Result {
    fileprivate var name: String {
        switch self {
        case .all: "all"
        case .exists: "exists"
        case .existsOne: "exists_one"
        case .map: "map"
        case .filter: "filter"
        case .mapValues: "transformMap"
        case .mapEntries: "transformMapEntry"
        }
    }
}
