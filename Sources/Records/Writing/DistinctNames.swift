/// The names of fields, each once.
enum DistinctNames {
    static func of(_ fields: UnsafeBufferPointer<RecordField>) -> [UnsafeRawBufferPointer] {
        // Few fields are compared one by one; a record of very many must not take the square of their number.
        guard fields.count > 64 else {
            var names: [UnsafeRawBufferPointer] = []
            for field in fields where !names.contains(where: { $0.elementsEqual(field.name) }) {
                names.append(field.name)
            }
            return names
        }
        var seen: Set<[UInt8]> = []
        return fields.compactMap { seen.insert(Array($0.name)).inserted ? $0.name : nil }
    }
}
