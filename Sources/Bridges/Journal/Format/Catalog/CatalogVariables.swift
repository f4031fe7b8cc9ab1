/// Puts the values of an entry's fields in the place of their names, `@UNIT@`, as libsystemd does.
struct CatalogVariables {
    private let entry: EntryView
    private var text: [UInt8] = []

    /// A field of more bytes, with its name, is not put in. Its name stays, without the signs around it.
    private static let maxLength = 4096
    private static let sign = UInt8(ascii: "@")

    static func replaced(in text: [UInt8], from entry: EntryView) -> [UInt8] {
        var variables = CatalogVariables(entry: entry)
        variables.replace(in: text[...])
        return variables.text
    }

    private init(entry: EntryView) {
        self.entry = entry
    }

    private mutating func replace(in template: ArraySlice<UInt8>) {
        var rest = template
        while let start = rest.firstIndex(of: Self.sign) {
            text += rest[..<start]
            let name = rest[(start + 1)...].prefix(while: Self.isOfName)
            guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == Self.sign else {
                text.append(Self.sign)
                rest = rest[(start + 1)...]
                continue
            }
            append(name)
            rest = rest[(name.endIndex + 1)...]
        }
        text += rest
    }

    private mutating func append(_ name: ArraySlice<UInt8>) {
        let value = name.withUnsafeBytes { entry.value(named: $0) }
        guard let value, name.count + 1 + value.count <= Self.maxLength else {
            text += name
            return
        }
        // libsystemd takes it for a text that ends with a zero byte.
        text += value.prefix { $0 != 0 }
    }

    private static func isOfName(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "_") }
}
