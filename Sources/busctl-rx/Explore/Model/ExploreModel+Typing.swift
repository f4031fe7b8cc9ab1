import Filter
import JournalBridge
import Records
import Terminal

/// The filter and the answers to questions, as they are typed.
extension ExploreModel {
    mutating func ask(_ prompt: Prompt, _ text: String) {
        answer = TextField(text)
        focus = .prompt(prompt)
    }

    mutating func answer(_ prompt: Prompt, _ event: ScreenEvent) -> [Effect] {
        switch event {
        case .key(.escape): focus = .list
        case .key(.enter):
            focus = .list
            switch prompt {
            case .search:
                searched = answer.text
                return search(goesBack: true)
            case .export: return export(answer.text)
            }
        default: _ = answer.take(event)
        }
        return []
    }

    mutating func export(_ text: String) -> [Effect] {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, let format = OutputFormat(argument: words[0]) else {
            notice = "Write a format and a file: \(OutputFormat.names.joined(separator: " "))"
            return []
        }
        let file = HomePath.expanded(words[1])
        notice = "writing \(file)"
        return [.export(query, format, file: file)]
    }

    /// Looks for the next record whose message has what was searched.
    mutating func search(goesBack: Bool) -> [Effect] {
        guard let searched, !searched.isEmpty, let current = list.current else {
            notice = "Press s to search."
            return []
        }
        let piece = "message =~ \(FilterText.quoted(SmartCase.pattern(searched)))"
        for whole in FilterPiece.joined(query.filter, piece) where check(whole) == nil {
            var wanted = query
            wanted.filter = whole
            notice = "searching \(searched)"
            return [.find(wanted, from: current, goesBack: goesBack, as: reading)]
        }
        notice = check(piece)?.message ?? "The filter and this search are too much together."
        return []
    }

    /// Goes to the next mark, and from the last one to the first.
    mutating func nextMark() -> [Effect] {
        guard let next = marks.next(after: list.current) else {
            notice = "Press m to mark a record."
            return []
        }
        return read(from: .record(next))
    }

    mutating func beginTyping() -> [Effect] {
        focus = .filter
        beforeTyping = query
        recalled = nil
        return [.findNames]
    }

    /// The filter stays as it took effect last.
    mutating func endTyping() {
        focus = .list
        if error != nil { (typed, error) = (TextField(query.filter), nil) }
        if !query.filter.isEmpty, history.last != query.filter { history.append(query.filter) }
        if let old = beforeTyping, old != query { keep(old) }
        beforeTyping = nil
    }

    mutating func type(_ event: ScreenEvent) -> [Effect] {
        switch event {
        case .key(.enter):
            if error == nil { endTyping() }
            return []
        case .key(.escape):
            focus = .list
            defer { beforeTyping = nil }
            guard let old = beforeTyping, old != query || error != nil else { return [] }
            return set(old)
        case .key(.up), .key(.down):
            let index = (recalled ?? history.count) + (event == .key(.up) ? -1 : 1)
            guard index >= 0, index <= history.count else { return [] }
            recalled = index
            typed.text = index < history.count ? history[index] : ""
        case .key(.tab):
            if let (field, start) = FilterPiece.openValue(in: typed.head) {
                return [.findValues(of: field, startingWith: start)]
            }
            complete()
        default: guard typed.take(event) else { return [] }
        }
        return apply()
    }

    /// The filter takes effect, if it is one.
    private mutating func apply() -> [Effect] {
        let text = typed.text
        error = check(text)
        guard error == nil, text != query.filter else { return [] }
        query.filter = text
        return ask(from: place)
    }

    /// Completes the name before the cursor.
    private mutating func complete() {
        let head = typed.head
        let word = String(head.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
        if !word.isEmpty { complete(word, among: fieldNames.filter { $0.hasPrefix(word) }) }
    }

    /// Completes the value before the cursor, if that is still what it was.
    mutating func took(_ values: [String], startingWith start: String) -> [Effect] {
        guard focus == .filter, FilterPiece.openValue(in: typed.head)?.start == start else { return [] }
        let plain = values.filter { FilterText.quoted($0) == "\"\($0)\"" }
        complete(start, among: plain)
        if plain.count == 1 { typed.insert("\"") }
        return apply()
    }

    private mutating func complete(_ word: String, among found: [String]) {
        guard let first = found.first else { return }
        let common = found.dropFirst().reduce(first) { common, name in
            String(zip(common, name).prefix { $0 == $1 }.map(\.0))
        }
        typed.insert(common.dropFirst(word.count))
        if found.count > 1 { notice = found.prefix(20).joined(separator: " ") }
    }
}
