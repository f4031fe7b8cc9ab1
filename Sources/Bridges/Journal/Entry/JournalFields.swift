extension JournalEntry {
    /// An entry's fields, in the journal's order.
    public struct Fields: RandomAccessCollection, Sendable {
        let storage: EntryStorage

        /// One field: its name, such as `_SYSTEMD_UNIT`, and its value byte for byte.
        public struct Field: Sendable, Hashable {
            /// The name, as the journal spells it. Several fields of an entry may have one name.
            public let name: String
            /// The value's bytes, which need not be text.
            public let bytes: [UInt8]

            /// The value as text, with U+FFFD for bytes that are not UTF-8.
            public var text: String { String(decoding: bytes, as: UTF8.self) }
        }

        public var startIndex: Int { 0 }
        public var endIndex: Int { Int(storage.header.fieldCount) }

        public subscript(position: Int) -> Field {
            storage.withView { view in
                let slot = view.slots[position]
                return Field(
                    name: String(decoding: view.name(of: slot), as: UTF8.self),
                    bytes: Array(view.value(of: slot))
                )
            }
        }
    }
}
