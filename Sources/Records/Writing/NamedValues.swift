/// A field with all its values.
struct NamedValues {
    let name: UnsafeRawBufferPointer
    var values: [RecordValue]

    /// Fields by name, in the order of the names' first occurrence.
    static func grouped(_ fields: UnsafeBufferPointer<RecordField>) -> [NamedValues] {
        var groups: [NamedValues] = []
        groups.reserveCapacity(fields.count)
        // Few are compared one by one; for very many, that would take the square of their number.
        guard fields.count > 64 else {
            for field in fields {
                if let known = groups.firstIndex(where: { $0.name.elementsEqual(field.name) }) {
                    groups[known].values.append(field.value)
                } else {
                    groups.append(NamedValues(name: field.name, values: [field.value]))
                }
            }
            return groups
        }
        var places: [[UInt8]: Int] = [:]
        for field in fields {
            let name = Array(field.name)
            if let known = places[name] {
                groups[known].values.append(field.value)
            } else {
                places[name] = groups.count
                groups.append(NamedValues(name: field.name, values: [field.value]))
            }
        }
        return groups
    }
}
