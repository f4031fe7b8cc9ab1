import Records

/// Other questions, and the way back to earlier ones.
extension ExploreModel {
    /// Asks another question, which `undo` takes back.
    mutating func choose(_ new: ExploreQuery, at place: ExplorePlace? = nil) -> [Effect] {
        guard new != query else { return [] }
        keep(query)
        return set(new, at: place)
    }

    /// What `undo` goes back to.
    mutating func keep(_ old: ExploreQuery) {
        before.append(old)
        if before.count > 1000 { before.removeFirst() }
    }

    mutating func set(_ new: ExploreQuery, at place: ExplorePlace? = nil) -> [Effect] {
        query = new
        typed = TextField(new.filter)
        error = nil
        return ask(from: place ?? self.place)
    }

    mutating func undo() -> [Effect] {
        guard let last = before.popLast() else {
            notice = "There is nothing to take back."
            return []
        }
        return set(last)
    }

    /// Adds a condition on a value to the filter.
    mutating func choose(_ name: String, _ value: String?, isWanted: Bool) -> [Effect] {
        let isPlain = name != CommonField.pattern.rawValue || value.map { hasPlainMessages(ofPattern: $0) } == true
        for piece in FilterPiece.candidates(name, value, isWanted: isWanted, isPlain: isPlain) {
            for whole in FilterPiece.joined(query.filter, piece)
            where whole.count <= TextField.maxLength && check(whole) == nil {
                var new = query
                new.filter = whole
                notice = piece
                return choose(new)
            }
        }
        notice = "The filter cannot ask for this value of \(name)."
        return []
    }

    /// Whether the list has all messages of the pattern, at least one, and they are plain text.
    private func hasPlainMessages(ofPattern pattern: String) -> Bool {
        // The counts cover all records of the query. The list may hold a part of them, and records that come while its
        // cursor is not at the end are not added to it.
        guard list.hasBegin, list.hasEnd, news == 0 else { return false }
        let path = FieldPath(name: CommonField.pattern.rawValue)
        let records = list.records.filter { $0.text(of: path) == pattern }
        return !records.isEmpty
            && records.allSatisfy { $0.content.withMessage { $0.map(Printable.isPrintable) ?? true } }
    }
}
