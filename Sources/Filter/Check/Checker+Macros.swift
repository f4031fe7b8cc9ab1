extension Checker {
    private static let loops: [String: Loop.Result] = [
        "all": .all, "exists": .exists, "exists_one": .existsOne, "existsOne": .existsOne, "map": .map,
        "filter": .filter, "transformList": .map, "transformMap": .mapValues, "transformMapEntry": .mapEntries,
    ]

    static let macroNames = loops.keys.sorted() + ["optMap", "optFlatMap"]

    /// The macro of that name, called on something; `nil` when there is none for so many arguments.
    mutating func macro(
        _ name: String,
        _ nameRange: SourceRange,
        _ receiver: Expression,
        _ arguments: [Expression],
        _ range: SourceRange
    ) throws(Complaint) -> Term? {
        if name == "optMap" || name == "optFlatMap" {
            if arguments.count == 2 { return try optionalMacro(name, receiver, arguments, range) }
            if !options.isChecked { return nil }
            throw misused(name, nameRange, receiver, arguments.count)
        }
        guard let result = Self.loops[name] else { return nil }
        let isTransform = name.hasPrefix("transform")
        let (variables, filter): (Int, Int?)
        switch (result, arguments.count) {
        case (.map, 2) where !isTransform, (.filter, 2), (.all, 2), (.exists, 2), (.existsOne, 2):
            (variables, filter) = (1, nil)
        case (.map, 3) where !isTransform: (variables, filter) = (1, 1)
        case (.all, 3), (.exists, 3), (.existsOne, 3): (variables, filter) = (2, nil)
        case (_, 3) where isTransform: (variables, filter) = (2, nil)
        case (_, 4) where isTransform: (variables, filter) = (2, 2)
        default:
            if !options.isChecked { return nil }
            throw misused(name, nameRange, receiver, arguments.count)
        }
        return try loop(name, result, receiver, arguments, variables, filter, range)
    }

    private mutating func loop(
        _ name: String,
        _ result: Loop.Result,
        _ receiver: Expression,
        _ arguments: [Expression],
        _ variableCount: Int,
        _ filterPlace: Int?,
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        let over = try term(receiver)
        let (first, second) = try elementTypes(over, name)
        let names = try arguments.prefix(variableCount).map { argument throws(Complaint) in
            try variableName(argument, name)
        }
        if names.count == 2, names[0] == names[1] {
            throw Complaint("both variables are called \(names[0]); give them two names", at: arguments[1].range)
        }
        guard loopDepth < options.limits.loopNesting else {
            throw Complaint(
                "macros such as \(name)() are nested more than \(options.limits.loopNesting) levels deep here, and each"
                    + " level multiplies the cost",
                at: range,
                kind: .overLimit
            )
        }
        loopDepth += 1
        defer { loopDepth -= 1 }
        // One variable is an element or a key; of two, the first is an element's index.
        let firstType = variableCount == 1 ? first : over.type.isList ? .int : over.type == .dynamic ? .dynamic : first
        let outer = variables.count
        defer { variables.removeLast(variables.count - outer) }
        let firstSlot = declare(names[0], firstType)
        let secondSlot = variableCount == 2 ? declare(names[1], second) : nil

        let filter = try filterPlace.map { place throws(Complaint) in try condition(arguments[place], name) }
        let last = arguments[arguments.count - 1]
        let isPredicate = [.all, .exists, .existsOne, .filter].contains(result)
        let body = isPredicate ? try condition(last, name) : try term(last)
        let loop = Loop(result: result, range: over, first: firstSlot, second: secondSlot, filter: filter, body: body)
        return Term(kind: .loop(loop), type: try type(of: loop, firstType, name), range: range)
    }

    private func type(of loop: Loop, _ key: StaticType, _ name: String) throws(Complaint) -> StaticType {
        switch loop.result {
        case .all, .exists, .existsOne: return .bool
        case .map: return .list(loop.body.type)
        case .filter: return .list(key)
        case .mapValues: return .map(key, loop.body.type)
        case .mapEntries:
            switch loop.body.type {
            case .map, .dynamic: return loop.body.type
            case _ where !options.isChecked: return .dynamic
            default:
                throw Complaint(
                    "\(name)() needs a map for each element, and \(finding(loop.body)); write {key: value}",
                    at: loop.body.range
                )
            }
        }
    }

    /// The types of the elements or keys that a loop with one variable goes through, and the type of a second
    /// variable.
    private func elementTypes(_ over: Term, _ name: String) throws(Complaint) -> (StaticType, StaticType) {
        switch over.type {
        case .list(let element): return (element, element)
        case .map(let key, let value): return (key, value)
        case .dynamic: return (.dynamic, .dynamic)
        case _ where !options.isChecked: return (.dynamic, .dynamic)
        case .string where name == "map" || name == "filter" || name == "all" || name == "exists":
            throw Complaint(
                "\(name)() goes through a list or a map, and \(finding(over)); write \(quote(over.range)).split(\"\") for"
                    + " its characters",
                at: over.range
            )
        default: throw Complaint("\(name)() goes through a list or a map, and \(finding(over))", at: over.range)
        }
    }

    private func variableName(_ expression: Expression, _ macro: String) throws(Complaint) -> String {
        guard case .name(let name, isAbsolute: false) = expression.kind else {
            throw Complaint(
                "\(macro)() names its variable first, as in \(macro)(x, …), found \(quote(expression.range))",
                at: expression.range
            )
        }
        return name
    }

    private mutating func declare(_ name: String, _ type: StaticType) -> Int {
        variables.append(Variable(name: name, slot: slotCount, type: type))
        slotCount += 1
        return slotCount - 1
    }

    private mutating func condition(_ expression: Expression, _ name: String) throws(Complaint) -> Term {
        let term = try term(expression)
        if options.isChecked, term.type != .bool, term.type != .dynamic {
            throw notACondition(term, "\(name)() asks a condition of each element")
        }
        return term
    }

    private mutating func optionalMacro(
        _ name: String,
        _ receiver: Expression,
        _ arguments: [Expression],
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        let target = try term(receiver)
        var content = StaticType.dynamic
        if case .optional(let type) = target.type {
            content = type
        } else if options.isChecked, target.type != .dynamic {
            throw Complaint(
                "\(name)() is called on an optional, and \(finding(target)); write optional.of(\(quote(target.range)))",
                at: target.range
            )
        }
        let outer = variables.count
        defer { variables.removeLast(variables.count - outer) }
        let slot = declare(try variableName(arguments[0], name), content)
        let body = try term(arguments[1])
        let isFlat = name == "optFlatMap"
        if isFlat, options.isChecked, body.type != .dynamic, !body.type.isOptional {
            throw Complaint("optFlatMap() needs an optional, and \(finding(body)); write optMap()", at: body.range)
        }
        return Term(
            kind: .mapOptional(target, slot: slot, body: body, isFlat: isFlat),
            type: isFlat ? body.type : .optional(body.type),
            range: range
        )
    }

    /// `cel.bind(name, value, body)`.
    mutating func bind(_ nameRange: SourceRange, _ arguments: [Expression], _ range: SourceRange) throws(Complaint)
        -> Term
    {
        guard arguments.count == 3 else {
            if !options.isChecked { return Term(kind: .failure(.unknownFunction), type: .dynamic, range: range) }
            throw Complaint(
                "cel.bind() takes a name, its value and an expression, found \(arguments.count); write"
                    + " cel.bind(x, message.size(), x > 10 && x < 20)",
                at: nameRange
            )
        }
        let name = try variableName(arguments[0], "cel.bind")
        let value = try term(arguments[1])
        let outer = variables.count
        defer { variables.removeLast(variables.count - outer) }
        let slot = declare(name, value.type)
        let body = try term(arguments[2])
        return Term(kind: .bind(slot: slot, value, body: body), type: body.type, range: range)
    }

    private func misused(_ name: String, _ nameRange: SourceRange, _ receiver: Expression, _ count: Int) -> Complaint {
        let on = quote(receiver.range)
        let usage =
            switch name {
            case "exists" where count == 0: "has(\(on)) for a field, or \(on).exists(x, x > 0)"
            case "optMap": "\(on).optMap(x, x + 1)"
            case "optFlatMap": "\(on).optFlatMap(x, x.?member)"
            case "map": "\(on).map(x, x + 1), or \(on).map(x, x > 0, x + 1)"
            case "filter": "\(on).filter(x, x > 0)"
            case "transformList", "transformMap": "\(on).\(name)(key, value, value + 1)"
            case "transformMapEntry": "\(on).transformMapEntry(key, value, {value: key})"
            default: "\(on).\(name)(x, x > 0)"
            }
        return Complaint(
            "\(name)() names a variable and says what to do with it, found \(count) "
                + "\(count == 1 ? "value" : "values"); write \(usage)",
            at: nameRange
        )
    }
}
