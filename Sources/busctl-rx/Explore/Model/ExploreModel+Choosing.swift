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
        // Nothing compares equal to what stands in the place of bytes that are no text.
        let isText = value?.contains("\u{FFFD}") != true
        for piece in isText ? FilterPiece.candidates(name, value, isWanted: isWanted) : [] {
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
}
