import Zones

extension Checker {
    mutating func call(
        _ name: String,
        _ nameRange: SourceRange,
        _ receiver: Expression?,
        _ arguments: [Expression],
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        guard let receiver else {
            switch name {
            case "has":
                guard arguments.count == 1 else {
                    throw Complaint("has() takes one field, found \(arguments.count); write has(NAME)", at: nameRange)
                }
                return try presence(arguments[0], range)
            case "fields": return try repeatedField(arguments, nameRange, range)
            default: return try function(name, nameRange, nil, arguments, range)
            }
        }
        if let path = NamePath(receiver), try !isKnown(path) {
            let namespace = path.joined(0..<path.parts.count)
            if namespace == "cel", name == "bind" { return try bind(nameRange, arguments, range) }
            if Function.namespaces.contains(namespace) {
                let place = receiver.range.through(nameRange)
                return try function("\(namespace).\(name)", place, nil, arguments, range)
            }
        }
        if let term = try macro(name, nameRange, receiver, arguments, range) { return term }
        return try function(name, nameRange, receiver, arguments, range)
    }

    private mutating func function(
        _ name: String,
        _ nameRange: SourceRange,
        _ receiver: Expression?,
        _ arguments: [Expression],
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        let count = arguments.count + (receiver == nil ? 0 : 1)
        let function = Function.named(name)
        let forms = function?.signatures.filter { $0.isMember == (receiver != nil) && $0.takes(count) } ?? []
        guard let function, !forms.isEmpty else {
            if !options.isChecked { return Term(kind: .failure(.unknownFunction), type: .dynamic, range: range) }
            throw uncallable(name, nameRange, receiver, arguments)
        }
        var operands: [Term] = []
        if let receiver { operands.append(try term(receiver)) }
        for argument in arguments {
            do throws(Complaint) {
                operands.append(try term(argument))
            } catch {
                guard let receiver, arguments.count == 1, error.range == argument.range,
                    function.instruction != nil
                else { throw error }
                throw quoted(error, as: "\(quote(receiver.range)).\(name)(", ")")
            }
        }
        let type = try resultType(function, forms, operands)
        if options.isChecked {
            let doubt = try doubt(operands) { terms throws(Complaint) in
                _ = try resultType(function, forms, terms)
            }
            if let doubt { warn(doubt.message, at: doubt.range) }
        }
        return try folded(function, operands, type, range)
    }

    /// The type of the function's result for these operands.
    private func resultType(_ function: Function, _ forms: [Signature], _ operands: [Term]) throws(Complaint)
        -> StaticType
    {
        if case .numbers = function.rule { return try extremeType(function, operands) }
        var fitting: [StaticType] = []
        for form in forms {
            var placeholder: StaticType?
            let fits = operands.indices.allSatisfy { index in
                form.parameter(at: index).accepts(operands[index].type, &placeholder)
            }
            if fits { fitting.append(form.result.replacing(placeholder)) }
        }
        // Where several forms fit, a value's type is not known yet.
        if !fitting.isEmpty { return fitting.allSatisfy { $0 == fitting[0] } ? fitting[0] : .dynamic }
        if !options.isChecked { return .dynamic }
        throw unacceptable(function, forms, operands)
    }

    /// Numbers of any types, or one list of them.
    private func extremeType(_ function: Function, _ operands: [Term]) throws(Complaint) -> StaticType {
        if operands.count == 1, case .list(let element) = operands[0].type {
            if element.isNumber || element == .dynamic { return element }
        } else if operands.allSatisfy({ $0.type.isNumber || $0.type == .dynamic }) {
            return .common(operands.map(\.type))
        }
        if !options.isChecked { return .dynamic }
        let wrong = operands.first { !$0.type.isNumber && $0.type != .dynamic } ?? operands[0]
        throw Complaint(
            "\(function.name)() takes numbers, or one list of numbers, and \(finding(wrong))",
            at: wrong.range
        )
    }

    private func unacceptable(_ function: Function, _ forms: [Signature], _ operands: [Term]) -> Complaint {
        let wrong =
            operands.indices.first { index in
                !forms.contains { form in
                    operands[...index].indices.allSatisfy { place in
                        var placeholder: StaticType?
                        return form.parameter(at: place).accepts(operands[place].type, &placeholder)
                    }
                }
            } ?? operands.count - 1
        let operand = operands[wrong]
        let isMember = forms[0].isMember
        // The expected type at this place, given the values before it.
        var placeholder: StaticType?
        let possible = forms.filter { form in
            placeholder = nil
            return operands[..<wrong].indices.allSatisfy {
                form.parameter(at: $0).accepts(operands[$0].type, &placeholder)
            }
        }
        let expected = possible.map { $0.parameter(at: wrong).replacing(placeholder) }
        let isExact = operand.type.isNumber && expected.contains(where: \.isNumber)
        var phrases: [String] = []
        for type in expected where !phrases.contains(type.phrase(exact: isExact)) {
            phrases.append(type.phrase(exact: isExact))
        }
        var found = operand.type.phrase(exact: isExact)
        if phrases == [found] {
            phrases = [expected[0].name]
            found = operand.type.name
        }
        let last = phrases.popLast() ?? "nothing"
        let list = phrases.isEmpty ? last : phrases.joined(separator: ", ") + " or " + last
        let verb = isMember && wrong == 0 ? "is called on" : "takes"
        let isAnyOf = operand.type == .list(.string) && expected == [.string] && isMember && wrong == 1
        let search = "\(quote(operand.range)).exists(x, \(quote(operands[0].range)).\(function.name)(x))"
        let advice = (isAnyOf ? search : mended(operand, for: expected)).map { "; write \($0)" } ?? ""
        return Complaint(
            "\(function.name)() \(verb) \(list), and \(quote(operand.range)) is \(found)\(advice)",
            at: operand.range
        )
    }

    /// The value as it would have to be written to be of an expected type.
    private func mended(_ operand: Term, for expected: [StaticType]) -> String? {
        let quoted = quote(operand.range)
        let types = Set(expected)
        switch operand.type {
        case _ where types.allSatisfy(\.isOptional): return "optional.of(\(quoted))"
        case .string where types.contains(.ip): return "ip(\(quoted))"
        case .string where types == [.cidr]: return "cidr(\(quoted))"
        case .string:
            guard types == [.int], case .string(let content)? = operand.constant else { return nil }
            return Int64(String(decoding: content, as: UTF8.self)).map { String($0) }
        case .int where types == [.duration, .string] && operand.constant != nil: return "\"\(quoted)s\""
        case .int, .uint, .double, .bool:
            if types == [.string] { return operand.constant == nil ? "string(\(quoted))" : "\"\(quoted)\"" }
            if operand.type != .bool, types.count == 1, let type = types.first, type.isNumber {
                return "\(type.name)(\(quoted))"
            }
            return nil
        default: return nil
        }
    }

    /// Evaluates constants, so that a wrong pattern, time or duration is refused now.
    private mutating func folded(
        _ function: Function,
        _ operands: [Term],
        _ type: StaticType,
        _ range: SourceRange
    ) throws(Complaint) -> Term {
        switch function.rule {
        case .pattern:
            if let expression = try regularExpression(operands[1]) {
                return Term(kind: .matches(operands[0], expression, nullIsNoMatch: false), type: .bool, range: range)
            }
        case .time, .duration, .address, .network:
            if case .time = function.rule { warnAboutDate(operands[0]) }
            if operands.count == 1, case .string(let text)? = operands[0].constant {
                return constant(try parsed(text, function, operands[0]), range)
            }
        case .dynamic: return Term(kind: operands[0].kind, type: .dynamic, range: range)
        case .zone where operands.count == 2 && operands[0].type == .timestamp: try checkZone(operands[1])
        case .format: try checkFormat(operands)
        case .none, .numbers, .zone: break
        }
        return Term(kind: .call(function, operands), type: type, range: range)
    }

    private func parsed(_ text: [UInt8], _ function: Function, _ operand: Term) throws(Complaint) -> OwnedValue {
        func refused(_ what: String) -> Complaint {
            Complaint("\(quote(operand.range)) is no \(what), as in \(function.usage())", at: operand.range)
        }
        switch function.rule {
        case .time:
            if let time = Timestamp(parsing: text) { return .timestamp(time) }
            if let meant = LooseTime.time(String(decoding: text, as: UTF8.self)) {
                throw Complaint("\(quote(operand.range)) is no time; write \(meant)", at: operand.range)
            }
            throw Complaint(
                "\(quote(operand.range)) is no time; write it as in \(function.usage()), in the years 1 to 9999",
                at: operand.range
            )
        case .duration:
            if let nanoseconds = DurationText.parse(text) { return .duration(nanoseconds) }
            if let meant = LooseTime.duration(String(decoding: text, as: UTF8.self)) {
                throw Complaint("\(quote(operand.range)) is no duration; write \(meant)", at: operand.range)
            }
            throw refused("duration; write numbers with units (w, d, h, m, s, ms, us, ns)")
        case .address:
            if let address = NetworkText.address(text) { return .ip(address) }
            throw refused("IP address; write one without a zone or a prefix, and an IPv4 address by itself")
        default:
            if let network = NetworkText.network(text) { return .cidr(network) }
            throw refused("network; write an IP address, a slash and the prefix' length")
        }
    }

    /// `timestamp(2026-01-01)` subtracts.
    private mutating func warnAboutDate(_ operand: Term) {
        // No time is as long as the expressions that may stand here.
        guard operand.constant == nil, operand.range.upper - operand.range.lower <= 64,
            let meant = LooseTime.time(source.text(operand.range))
        else { return }
        warn("\(quote(operand.range)) is a subtraction; write \(meant)", at: operand.range)
    }

    private func checkZone(_ operand: Term) throws(Complaint) {
        guard options.isChecked, case .string(let name)? = operand.constant else { return }
        guard let fault = ZoneArgument.fault(name) else { return }
        if name.elementsEqual("Local".utf8) {
            throw Complaint(
                "\(quote(operand.range)) is the zone that TZ names, or else /etc/localtime:"
                    + " \(fault.description { "error \($0)" })",
                at: operand.range
            )
        }
        if String(decoding: name, as: UTF8.self).lowercased().hasPrefix("local") {
            throw Complaint(
                "\(quote(operand.range)) is no time zone of this system; write \"Local\" for the machine's own",
                at: operand.range
            )
        }
        throw Complaint(
            "\(quote(operand.range)) is no time zone of this system; write one such as \"Europe/Berlin\", \"UTC\" or"
                + " \"+02:00\"",
            at: operand.range
        )
    }

    /// A known format with a known number of arguments is checked now, because it cannot fail later.
    private func checkFormat(_ operands: [Term]) throws(Complaint) {
        guard options.isChecked, case .string(let format)? = operands[0].constant else { return }
        let wanted: Int
        switch FormatText.clauses(format) {
        case .failure(let unknown):
            throw Complaint(
                "\(DisplayWidth.shortened(unknown.text)) is no way to write a value; there are %s, %d, %f, %e, %b,"
                    + " %o, %x, %X, and %% for a percent sign",
                at: operands[0].range
            )
        case .success(let count): wanted = count
        }
        let given: Int? =
            switch operands[1].kind {
            case .constant(.list(let elements)): elements.count
            case .list(let elements) where !elements.contains(where: \.isOptional): elements.count
            default: nil
            }
        guard let given, given != wanted else { return }
        throw Complaint(
            "the format asks for \(wanted == 1 ? "one value" : "\(wanted) values"), and the list has \(given)",
            at: operands[1].range
        )
    }
}
