/// Syntax of other languages where this one cannot go on, with its replacement.
extension Parser {
    // MARK: In the place of a value

    /// `/x/i`, a regular expression; `*x*`, a pattern; and options of commands.
    func foreignOperand() -> Complaint? {
        switch token.kind {
        case .symbol(.slash): slashes()
        case .symbol(.star): stars(at: token.range)
        case .end where last?.is(.star) == true: last.flatMap { stars(at: $0.range) }
        default: nil
        }
    }

    private func slashes() -> Complaint? {
        let lower = token.range.lower
        guard let end = endOfSlashes(lower) else { return nil }
        var upper = end
        while upper < source.bytes.count, Lexer.continuesName(source.bytes[upper]) { upper += 1 }
        let inner = source.text(SourceRange(lower + 1, end - 1)).replacing("\\/", with: "/")
        let flags = source.text(SourceRange(end, upper)).contains("i") ? "(?i)" : ""
        let range = SourceRange(lower, upper)
        let isMatch = [.matches, .doesNotMatch, .leftParenthesis].contains { last?.is($0) == true }
        let sign = isMatch ? "" : "=~ "
        return Complaint(
            "found \(shortened(range)); a regular expression is a text in quotes: write"
                + " \(sign)\(Self.rawText(flags + inner))",
            at: range
        )
    }

    /// Behind the slash that closes the one at the offset.
    private func endOfSlashes(_ lower: Int) -> Int? {
        var place = lower + 1
        while place < source.bytes.count, source.bytes[place] != 0x0A {
            switch source.bytes[place] {
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "/"): return place > lower + 1 ? place + 1 : nil
            default: place += 1
            }
        }
        return nil
    }

    /// A pattern as a text that needs no escapes, where that is possible.
    private static func rawText(_ pattern: String) -> String {
        if pattern.contains("\\"), !pattern.contains("\"") { return "r\"\(pattern)\"" }
        return LiteralText.print(.string(Array(pattern.utf8)))
    }

    /// The word with stars around the place, such as `*error*`, compared with something.
    private func stars(at place: SourceRange) -> Complaint? {
        let lower = 1 + (source.bytes[..<place.lower].lastIndex { !Self.belongsToWord($0) } ?? -1)
        let upper = source.bytes[place.upper...].firstIndex { !Self.belongsToWord($0) } ?? source.bytes.count
        let range = SourceRange(lower, upper)
        let word = source.text(range)
        guard let search = Wildcard.search(for: word) else { return nil }
        let subject = subject(before: lower) ?? "NAME"
        return Complaint("found \(shortened(range)); write \(subject)\(search)", at: range)
    }

    private static func belongsToWord(_ byte: UInt8) -> Bool {
        Lexer.continuesName(byte) || byte >= 0x80
            || [UInt8(ascii: "*"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "/")]
                .contains(byte)
    }

    /// The name to the left of the comparison that ends at the offset, such as `record.message` of `record.message ==`.
    private func subject(before offset: Int) -> String? {
        let bytes = source.bytes[..<offset]
        let comparison = bytes.lastIndex { !Self.isBlank($0) && !"=!~<>:".utf8.contains($0) }
        guard let end = comparison, end + 1 < offset || offset == source.bytes.count else { return nil }
        return name(endingAt: end)
    }

    /// The name, with its members, whose last character is at the offset.
    private func name(endingAt end: Int) -> String? {
        func belongs(_ byte: UInt8) -> Bool { Lexer.continuesName(byte) || byte == UInt8(ascii: ".") }
        guard belongs(source.bytes[end]) else { return nil }
        let lower = 1 + (source.bytes[..<end].lastIndex { !belongs($0) } ?? -1)
        let text = shortened(SourceRange(lower, end + 1))
        return text.utf8.first.map(Lexer.beginsName) == true ? text : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    // MARK: In the place of an operator

    /// The words from here on in this language, such as `message.startsWith("x")` for `LIKE "x%"`.
    func foreignOperator() -> String? {
        guard let last else { return nil }
        let subject = name(endingAt: last.range.upper - 1)
        let left = subject ?? "NAME"
        var ahead = self
        guard let word = ahead.takeWord() else {
            return token.is(.colon) && open.isEmpty ? subject.flatMap { colon($0) } : negatedCall(left)
        }
        if let unit = LooseTime.unit(word), case .integer = last.kind {
            return "duration(\"\(shortened(last.range))\(unit)\")"
        }
        if let subject, subject == "has" || ForeignNames.functions[subject] == "has" { return "has(\(word))" }
        var isNot = false
        var verb = word.lowercased()
        if verb == "is" {
            if ahead.takeWord("not") { isNot = true }
            return ahead.takeWord("null") ? "\(left) \(isNot ? "!=" : "==") null" : nil
        }
        if verb == "not", let next = ahead.takeWord() { (isNot, verb) = (true, next.lowercased()) }
        let not = isNot ? "not " : ""
        switch verb {
        case "like", "ilike", "glob":
            guard let text = ahead.takeText() else { return nil }
            if verb == "ilike" { return "\(left) \(isNot ? "!~" : "=~") \(Self.rawText("(?i)" + Self.bare(text)))" }
            let pattern = verb == "like" ? text : text.replacing("*", with: "%")
            return "\(not)\(left)\(Wildcard.search(like: pattern))"
        case "regexp", "regex", "rlike":
            let operand = ahead.takeText().map(Self.rawText) ?? "\"…\""
            return "\(left) \(isNot ? "!~" : "=~") \(operand)"
        case "between":
            guard let low = ahead.takeValue(), ahead.takeWord("and"), let high = ahead.takeValue() else { return nil }
            return "\(not)(\(left) >= \(low) && \(left) <= \(high))"
        case "exists": return "\(not)has(\(left))"
        case "eq", "equals": return ahead.takeValue().map { "\(left) == \($0)" }
        case "ne", "neq": return ahead.takeValue().map { "\(left) != \($0)" }
        case "lt": return ahead.takeValue().map { "\(left) < \($0)" }
        case "le", "lte": return ahead.takeValue().map { "\(left) <= \($0)" }
        case "gt": return ahead.takeValue().map { "\(left) > \($0)" }
        case "ge", "gte": return ahead.takeValue().map { "\(left) >= \($0)" }
        default: return call(verb, word, ahead.takeText()).map { "\(not)\(left)\($0)" }
        }
    }

    /// `.startsWith("x")` for `startswith "x"`.
    private func call(_ verb: String, _ word: String, _ text: String?) -> String? {
        let methods = ["contains", "startsWith", "endsWith", "matches"]
        let method = methods.first { $0.lowercased() == verb } ?? ForeignNames.functions[word] ?? ""
        guard methods.contains(method), let text else { return nil }
        return ".\(method)(\(LiteralText.print(.string(Array(text.utf8)))))"
    }

    /// `!message.contains("x")` for `message !contains "x"`.
    private func negatedCall(_ left: String) -> String? {
        guard token.is(.not) else { return nil }
        var ahead = self
        guard (try? ahead.advance()) != nil, let word = ahead.takeWord() else { return nil }
        if word == "in" { return "not \(left) in […]" }
        return call(word.lowercased(), word, ahead.takeText()).map { "!\(left)\($0)" }
    }

    /// `message == "error"` for `message:error`, as in search engines.
    private func colon(_ left: String) -> String? {
        var ahead = self
        guard (try? ahead.advance()) != nil, let value = ahead.takeValue() else { return nil }
        if case .name = ahead.last?.kind { return "\(left) == \"\(value)\"" }
        return "\(left) == \(value)"
    }

    // MARK: Looking ahead

    private mutating func takeWord() -> String? {
        guard case .name(let word) = token.kind, (try? advance()) != nil else { return nil }
        return word
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard case .name(let found) = token.kind, found.lowercased() == word else { return false }
        return (try? advance()) != nil
    }

    private mutating func takeText() -> String? {
        guard case .string(let content) = token.kind, (try? advance()) != nil else { return nil }
        return String(decoding: content, as: UTF8.self)
    }

    /// A name, a number or a text, as it is written.
    private mutating func takeValue() -> String? {
        switch token.kind {
        case .name, .integer, .unsigned, .double, .string:
            let text = shortened(token.range)
            return (try? advance()) == nil ? nil : text
        default: return nil
        }
    }

    /// A pattern of `LIKE` without the signs for any text.
    private static func bare(_ pattern: String) -> String {
        String(pattern.drop { $0 == "%" }.reversed().drop { $0 == "%" }.reversed()).replacing("%", with: ".*")
    }
}
