#if NATS
    /// The headers of a message: names with values, as in HTTP. A name may come several times.
    ///
    /// Names are compared with their case. A received message's headers are ordered by name; values of one name keep their order.
    /// Spaces at the ends of a value are not kept. An empty value is refused, because libnats 3.4.1 takes the line that follows it for
    /// the value. So it does, too, with an empty value that another client has sent.
    public struct NATSHeaders: Sendable, Hashable {
        /// One name with one value.
        public struct Field: Sendable, Hashable {
            public let name: String
            public let value: String

            public init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        public private(set) var fields: [Field]

        public init(_ fields: [Field] = []) {
            self.fields = fields
        }

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
                guard !field.name.isEmpty, field.name.utf8.allSatisfy({ (33...126).contains($0) && $0 != 58 }) else {
                    return
                        "\"\(field.name)\" is not the name of a header (visible ASCII characters other than : are allowed)"
                }
                guard field.value.utf8.contains(where: { $0 != 32 && $0 != 9 }) else {
                    return "the value of the header \(field.name) is empty"
                }
                guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                    return "the value of the header \(field.name) contains a line break or NUL"
                }
            }
            return nil
        }
    }

    extension NATSHeaders: ExpressibleByDictionaryLiteral {
        public init(dictionaryLiteral elements: (String, String)...) {
            fields = elements.map { Field($0.0, $0.1) }
        }
    }
#endif
