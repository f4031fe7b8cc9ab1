/// The headers of a message: names with values, as in HTTP. A name may come several times.
///
/// Names are compared with their case. A received message's headers are ordered by name; values of one name keep their order.
/// Spaces at the ends of a value are not kept. An empty value is refused, because libnats 3.4.1 takes the line that follows it for
/// the value. So it does, too, with an empty value that another client has sent.
public struct NATSHeaders: Sendable, Hashable {
    /// One name with one value.
    public struct Field: Sendable, Hashable {
        /// As it is written: names are compared with their case.
        public let name: String
        /// Not empty, and without spaces at its ends.
        public let value: String

        /// Checked when the message is published.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All names with their values, in order.
    public private(set) var fields: [Field]

    /// Headers of these names and values, in this order.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Whether there is no name.
    public var isEmpty: Bool { fields.isEmpty }

    /// The first value of a name. Setting replaces all values of the name; nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append(Field(name, newValue)) }
        }
    }

    /// All values of a name, in their order.
    public func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Adds a value, and keeps those that the name has.
    public mutating func add(_ name: String, _ value: String) { fields.append(Field(name, value)) }

    /// How many bytes they take in a message.
    var size: Int {
        guard !isEmpty else { return 0 }
        let frame = "NATS/1.0\r\n\r\n".utf8.count
        return fields.reduce(frame) { $0 + $1.name.utf8.count + $1.value.utf8.count + ": \r\n".utf8.count }
    }

    /// The rule that they break, if any. A line break inside a value would begin a header of its own.
    var flaw: String? {
        for field in fields {
            guard Self.isName(field.name) else {
                return
                    "\"\(field.name)\" is not the name of a header (visible ASCII characters other than : are allowed)"
            }
            switch Self.content(of: field.value) {
            case .text: continue
            case .blank: return "the value of the header \(field.name) is empty"
            case .broken: return "the value of the header \(field.name) contains a line break or NUL"
            }
        }
        return nil
    }

    private static func isName(_ name: String) -> Bool {
        name.utf8.withContiguousStorageIfAvailable { isName($0) } ?? isName(name.utf8)
    }

    private static func isName(_ name: some Collection<UInt8>) -> Bool {
        for byte in name where !(33...126).contains(byte) || byte == UInt8(ascii: ":") { return false }
        return !name.isEmpty
    }

    private enum Content {
        case text
        /// Nothing, or spaces and tabs alone.
        case blank
        /// With a line break or NUL.
        case broken
    }

    private static func content(of value: String) -> Content {
        value.utf8.withContiguousStorageIfAvailable { content(of: $0) } ?? content(of: value.utf8)
    }

    private static func content(of value: some Collection<UInt8>) -> Content {
        var isBlank = true
        for byte in value {
            if byte == 0 || byte == 10 || byte == 13 { return .broken }
            isBlank = isBlank && (byte == 32 || byte == 9)
        }
        return isBlank ? .blank : .text
    }
}

extension NATSHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }
}
