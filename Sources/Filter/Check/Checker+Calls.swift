extension Checker {
    mutating func call(
        _ name: String,
        _ nameRange: SourceRange,
        _ receiver: Expression?,
        _ arguments: [Expression],
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        if name == "has", receiver == nil {
            guard arguments.count == 1 else {
                throw Complaint("has() takes one field, found \(arguments.count); write has(NAME)", at: nameRange)
            }
            return try presence(arguments[0], range)
        }
        try refuseUnsupported(name, nameRange, receiver)
        guard let function = Function(rawValue: name), receiver == nil ? function.isGlobal : function.isMember,
            function.arity == arguments.count + (receiver == nil ? 0 : 1)
        else {
            if !options.isChecked { return Term(kind: .failure(.unknownFunction), type: .dynamic, range: range) }
            throw uncallable(name, nameRange, receiver, arguments)
        }
        var operands: [Term] = []
        if let receiver { operands.append(try term(receiver)) }
        for argument in arguments { operands.append(try term(argument)) }
        let type = try resultType(function, operands, nameRange)
        return try folded(function, operands, type, range)
    }

    private func refuseUnsupported(_ name: String, _ nameRange: SourceRange, _ receiver: Expression?) throws(Complaint)
    {
        guard let receiver else {
            if UnsupportedNames.globals.contains(name) { throw .unsupported("\(name)() is", at: nameRange) }
            return
        }
        if UnsupportedNames.macros.contains(name) { throw .unsupported("the macro \(name)() is", at: nameRange) }
        if UnsupportedNames.members.contains(name) { throw .unsupported(".\(name)() is", at: nameRange) }
        let root: Expression = if case .select(let operand, _, _) = receiver.kind { operand } else { receiver }
        if case .name(let namespace, _) = root.kind, UnsupportedNames.namespaces.contains(namespace), !isKnown(root) {
            throw .unsupported("\(quote(receiver.range)).\(name)() is", at: receiver.range.through(nameRange))
        }
    }

    /// The type of what the function returns for these operands.
    private func resultType(_ function: Function, _ operands: [Term], _ nameRange: SourceRange) throws(Complaint)
        -> StaticType
    {
        func accepts(_ parameter: StaticType, _ type: StaticType) -> Bool {
            parameter == .dynamic || type == .dynamic || parameter == type || (parameter.isList && type.isList)
        }
        let fitting = function.overloads.filter { overload in
            zip(overload.parameters, operands).allSatisfy { accepts($0, $1.type) }
        }
        if let first = fitting.first { return first.result }
        if !options.isChecked { return function.overloads[0].result }

        let wrong =
            operands.indices.first { index in
                !function.overloads.contains { accepts($0.parameters[index], operands[index].type) }
            } ?? 0
        let operand = operands[wrong]
        let finding = "\(function.rawValue)() takes \(function.expected(at: wrong)), and \(finding(operand))"
        let takesText = function.overloads[0].parameters[wrong] == .string
        guard takesText, operand.type.isNumber || operand.type == .bool else {
            throw Complaint(finding, at: operand.range)
        }
        let mend = operand.constant == nil ? "string(\(quote(operand.range)))" : "\"\(quote(operand.range))\""
        throw Complaint("\(finding); write \(mend)", at: operand.range)
    }

    /// Turns constants into what they stand for, so that a wrong pattern, time or duration is refused now.
    private func folded(
        _ function: Function,
        _ operands: [Term],
        _ type: StaticType,
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        switch (function, operands[0].constant) {
        case (.matches, _):
            if let expression = try regularExpression(operands[1]) {
                return Term(kind: .matches(operands[0], expression, nullIsNoMatch: false), type: .bool, range: range)
            }
        case (.timestamp, .string(let text)?):
            guard let time = Timestamp(parsing: text) else {
                throw Complaint(
                    "\(quote(operands[0].range)) is no time; write it as in \(function.usage()), in the years 1 to 9999",
                    at: operands[0].range
                )
            }
            return constant(.timestamp(time), range)
        case (.duration, .string(let text)?):
            guard let nanoseconds = DurationText.parse(text) else {
                throw Complaint(
                    "\(quote(operands[0].range)) is no duration; write numbers with units (h, m, s, ms, us, ns), as in "
                        + function.usage(),
                    at: operands[0].range
                )
            }
            return constant(.duration(nanoseconds), range)
        case (.dyn, _): return Term(kind: operands[0].kind, type: .dynamic, range: range)
        default: break
        }
        return Term(kind: .call(function, operands), type: function == .dyn ? .dynamic : type, range: range)
    }

    private func uncallable(
        _ name: String,
        _ nameRange: SourceRange,
        _ receiver: Expression?,
        _ arguments: [Expression]
    ) -> Complaint {
        guard let function = Function(rawValue: name) else {
            return unknownFunction(name, nameRange, isMember: receiver != nil)
        }
        if receiver == nil, !function.isGlobal {
            guard arguments.count == 2 else {
                return Complaint("\(name)() is called on a text; write \(function.usage())", at: nameRange)
            }
            let call = "\(quote(arguments[0].range)).\(name)(\(quote(arguments[1].range)))"
            return Complaint(
                "\(name)() is called on a text; write \(call)",
                at: nameRange
            )
        }
        if let receiver, !function.isMember {
            return Complaint(
                "\(name)() takes its value in parentheses; write \(name)(\(quote(receiver.range)))",
                at: nameRange
            )
        }
        let wanted = function.arity - (receiver == nil ? 0 : 1)
        let count = wanted == 0 ? "no value" : wanted == 1 ? "one value" : "\(wanted) values"
        let usage = function.usage(on: receiver.map { quote($0.range) })
        return Complaint(
            "\(name)() takes \(count) in its parentheses, found \(arguments.count); write \(usage)",
            at: nameRange
        )
    }

    private func unknownFunction(_ name: String, _ nameRange: SourceRange, isMember: Bool) -> Complaint {
        let names =
            Function.allCases.filter { isMember ? $0.isMember : $0.isGlobal }.map(\.rawValue)
            + (isMember ? [] : ["has"])
        let others = [
            "includes": "contains", "include": "contains", "has": "contains", "length": "size", "len": "size",
            "count": "size", "match": "matches", "hasPrefix": "startsWith", "hasSuffix": "endsWith",
            "starts_with": "startsWith",
            "ends_with": "endsWith", "exist": "has", "defined": "has", "float": "double", "str": "string",
        ]
        if let nearest = others[name] ?? Spelling.nearest(to: name, among: names) {
            return Complaint("there is no function \(name)(); did you mean \(nearest)()?", at: nameRange)
        }
        if !isMember, schema.field(named: name) != nil {
            return Complaint("\(name) is a field, not a function; write it without parentheses", at: nameRange)
        }
        return Complaint(
            "there is no function \(name)(); the functions here are \(names.sorted().joined(separator: ", "))",
            at: nameRange
        )
    }
}
