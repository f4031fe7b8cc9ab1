/// Goes through the members of a JSON object without reading their values.
struct JSONMembers {
    struct Member {
        /// Between the quotes, escapes and all.
        let name: UnsafeRawBufferPointer
        let value: UnsafeRawBufferPointer

        /// The name without its escapes; not at all where they mean nothing.
        func withName(_ body: (UnsafeRawBufferPointer) -> Void) {
            guard name.contains(UInt8(ascii: "\\")) else { return body(name) }
            let quoted = [UInt8(ascii: "\"")] + Array(name) + [UInt8(ascii: "\"")]
            var arena = Arena()
            var allowance = Allowance.unlimited
            quoted.withUnsafeBytes { bytes in
                var reader = JSONReader(bytes)
                if case .success(.string(let text)) = reader.read(&arena, &allowance) { body(text) }
            }
            withExtendedLifetime(arena) {}
        }
    }

    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var isFirst = true

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// `nil` behind the last member, and where the text is no object any more.
    mutating func next() -> Member? {
        skipBlanks()
        guard take(isFirst ? "{" : ",") else { return nil }
        isFirst = false
        skipBlanks()
        guard let name = skipText() else { return nil }
        skipBlanks()
        guard take(":") else { return nil }
        skipBlanks()
        let start = position
        guard skipValue() else { return nil }
        return Member(name: name, value: UnsafeRawBufferPointer(rebasing: text[start..<position]))
    }

    private mutating func take(_ symbol: Character) -> Bool {
        guard position < text.count, text[position] == symbol.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[position]) { position += 1 }
    }

    private mutating func skipText() -> UnsafeRawBufferPointer? {
        guard take("\"") else { return nil }
        let start = position
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                position += 1
                return UnsafeRawBufferPointer(rebasing: text[start..<position - 1])
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return nil
    }

    /// To the comma or bracket behind the value; whether it is a value is found out when it is read.
    private mutating func skipValue() -> Bool {
        let start = position
        var depth = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                guard skipText() != nil else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return position > start }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return position > start
            default: break
            }
            position += 1
        }
        return false
    }
}
