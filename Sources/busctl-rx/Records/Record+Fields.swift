import Records

extension Record {
    /// Whether source, severity and message are the same; or all fields, where there is no message.
    func saysTheSame(as other: Record) -> Bool {
        guard source == other.source, severity == other.severity else { return false }
        let (mine, theirs) = (message, other.message)
        if mine != nil || theirs != nil { return mine == theirs }
        return content.withFields { mine in
            other.content.withFields { theirs in
                mine.elementsEqual(theirs) { $0.name.elementsEqual($1.name) && $0.value.text == $1.value.text }
            }
        }
    }
}
