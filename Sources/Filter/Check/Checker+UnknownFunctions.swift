extension Checker {
    /// Why nothing can be called by this name with these values.
    func uncallable(
        _ name: String,
        _ nameRange: SourceRange,
        _ receiver: Expression?,
        _ arguments: [Expression]
    ) -> Complaint {
        guard let function = Function.named(name) else {
            if receiver == nil, Self.macroNames.contains(name) {
                let isPresence = name == "exists" && arguments.count == 1 && NamePath(arguments[0]) != nil
                let advice = isPresence ? "; write has(\(quote(arguments[0].range))) for a field" : ""
                return Complaint(
                    "\(name)() is called on a list or a map, as in [1, 2].\(name)(…)\(advice)",
                    at: nameRange
                )
            }
            return unknownFunction(name, nameRange, receiver, arguments)
        }
        if receiver == nil, !function.isGlobal {
            let on = function.signatures[0].parameters[0].phrase()
            guard let first = arguments.first else {
                return Complaint("\(name)() is called on \(on); write \(function.usage())", at: nameRange)
            }
            let isSearched = function.signatures.allSatisfy { $0.isMember && $0.parameters.count > arguments.count }
            if isSearched, case .literal = first.kind {
                return Complaint(
                    "\(name)() is called on \(on); write which, as in message.\(name)(\(quote(first.range)))",
                    at: nameRange
                )
            }
            let rest = arguments.dropFirst().map { quote($0.range) }.joined(separator: ", ")
            return Complaint(
                "\(name)() is called on \(on); write \(quote(first.range)).\(name)(\(rest))",
                at: nameRange
            )
        }
        if let receiver, !function.isMember {
            return Complaint(
                "\(name)() takes its value in parentheses; write \(name)(\(quote(receiver.range)))",
                at: nameRange
            )
        }
        let counts = Set(function.signatures.filter { $0.isMember == (receiver != nil) }.map(\.parameters.count))
            .sorted()
            .map { $0 - (receiver == nil ? 0 : 1) }
        let isVariadic = function.signatures.contains(where: \.isVariadic)
        let count =
            (isVariadic ? "at least " : "")
            + (counts == [0]
                ? "no value"
                : counts == [1]
                    ? "one value"
                    : counts.map(String.init).joined(separator: " or ")
                        + " values")
        let usage = function.usage(on: receiver.map { quote($0.range) })
        return Complaint(
            "\(name)() takes \(count) in its parentheses, found \(arguments.count); write \(usage)",
            at: nameRange
        )
    }

    private func unknownFunction(
        _ name: String,
        _ nameRange: SourceRange,
        _ receiver: Expression?,
        _ arguments: [Expression]
    ) -> Complaint {
        let isMember = receiver != nil
        let shown = DisplayWidth.shortened(name)
        let namespace = name.firstIndex(of: ".").map { String(name[..<$0]) } ?? ""
        let names =
            Function.all.filter { $0.namespace == namespace && (isMember ? $0.isMember : $0.isGlobal) }
            .map(\.name) + (isMember ? Self.macroNames : namespace.isEmpty ? ["has", "fields"] : [])
        if let other = ForeignNames.functions[name] ?? Spelling.nearest(to: name, among: names) {
            let call = usage(of: other, receiver, arguments)
            return Complaint("there is no function \(shown)(); did you mean \(call)?", at: nameRange)
        }
        if let advice = ForeignNames.advice[name] {
            return Complaint("there is no function \(shown)(); \(advice)", at: nameRange)
        }
        if !isMember, schema.field(named: name) != nil || ["now", "age"].contains(name) {
            return Complaint("\(shown) is a field, not a function; write it without parentheses", at: nameRange)
        }
        let possible = receiver.map { callable(on: $0, among: names) } ?? names
        return Complaint(
            "there is no function \(shown)(); the functions here are \(possible.sorted().joined(separator: ", "))",
            at: nameRange
        )
    }

    /// `startsWith()`, or the whole call where it is written in another form than the one that was tried.
    private func usage(of name: String, _ receiver: Expression?, _ arguments: [Expression]) -> String {
        let isGlobal = Function.named(name)?.isGlobal ?? (name == "has")
        let isMember = Function.named(name)?.isMember ?? Self.macroNames.contains(name)
        let values = arguments.map { quote($0.range) }
        if let receiver, !isMember { return "\(name)(\(([quote(receiver.range)] + values).joined(separator: ", ")))" }
        if receiver == nil, !isGlobal, let first = values.first {
            return "\(first).\(name)(\(values.dropFirst().joined(separator: ", ")))"
        }
        return "\(name)()"
    }

    /// The functions among the names that such a value has.
    private func callable(on receiver: Expression, among names: [String]) -> [String] {
        var checker = self
        guard let type = (try? checker.term(receiver))?.type, type != .dynamic else { return names }
        return names.filter { name in
            guard let function = Function.named(name) else { return type.isList || type.isMap || type.isOptional }
            return function.signatures.contains { form in
                var placeholder: StaticType?
                return form.isMember && form.parameter(at: 0).accepts(type, &placeholder)
            }
        }
    }
}
