/// A JSON object as a filter sees it. It is lent out for the length of one evaluation; nothing is read that is not asked
/// for.
public struct JSONRecord: FilterRecord, ~Copyable {
    private let text: UnsafeRawBufferPointer
    private let names: [String]

    init(_ text: UnsafeRawBufferPointer, _ names: [String]) {
        self.text = text
        self.names = names
    }

    public func value(of field: FieldID) -> FieldValue {
        guard names.indices.contains(field.rawValue) else { return .absent }
        var members = JSONMembers(text)
        var found: UnsafeRawBufferPointer?
        // Of a member given twice the last counts.
        while let member = members.next() {
            if member.isNamed(names[field.rawValue]) { found = member.value }
        }
        return found.map { .json($0) } ?? .absent
    }
}
