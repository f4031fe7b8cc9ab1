import JSONScan

/// A JSON object as a filter sees it. It is lent for the length of one evaluation. Only members that are needed are
/// read, and the object is searched for its members once.
public struct JSONRecord: FilterRecord, ~Copyable {
    /// The members' texts, by the fields' numbers, once the object was searched.
    private let values: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>
    private let isSearched: UnsafeMutablePointer<Bool>
    private let text: UnsafeRawBufferPointer
    private let names: [String]

    /// - Parameters:
    ///   - values: one place for each name, none with a value.
    ///   - isSearched: false.
    init(
        _ text: UnsafeRawBufferPointer,
        _ names: [String],
        _ values: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>,
        _ isSearched: UnsafeMutablePointer<Bool>
    ) {
        self.text = text
        self.names = names
        self.values = values
        self.isSearched = isSearched
    }

    public func value(of field: FieldID) -> FieldValue {
        guard values.indices.contains(field.rawValue) else { return .absent }
        if !isSearched.pointee {
            isSearched.pointee = true
            search()
        }
        return values[field.rawValue].map { .json($0) } ?? .absent
    }

    private func search() {
        var members = JSONMembers(text)
        // If a member is given twice, the last one counts.
        while let member = members.next() {
            member.withName { name in
                for place in names.indices where ByteText.equal(name, names[place]) { values[place] = member.value }
            }
        }
    }
}
