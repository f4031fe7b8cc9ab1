import Filter

/// The fields of a log record that the evaluated expression can use.
struct SampleSchema: FieldSchema {
    static let names = ["priority", "unit", "message"]

    var knownNames: [String] { Self.names }
    var constants: [String: Int64] { ["err": 3] }

    func field(named name: String) -> FieldDefinition? {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        return FieldDefinition(id: FieldID(rawValue: index), name: name, type: index == 0 ? .int : .string)
    }
}

/// A log record with its fields prepared, as bytes and as Swift values.
struct SampleRecord: FilterRecord, @unchecked Sendable {
    let priority: Int
    let unit: String
    let message: String
    // Allocated once, never written again and never freed. A zero follows the last byte.
    let unitBytes: UnsafeRawBufferPointer
    let messageBytes: UnsafeRawBufferPointer

    init(priority: Int, unit: String, message: String) {
        self.priority = priority
        self.unit = unit
        self.message = message
        unitBytes = Self.keep(unit)
        messageBytes = Self.keep(message)
    }

    func value(of field: FieldID) -> FieldValue {
        switch field.rawValue {
        case 0: .int(Int64(priority))
        case 1: .text(unitBytes)
        default: .text(messageBytes)
        }
    }

    private static func keep(_ text: String) -> UnsafeRawBufferPointer {
        let bytes = Array(text.utf8)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
        copy.copyBytes(from: bytes + [0])
        return UnsafeRawBufferPointer(rebasing: copy.dropLast())
    }

    /// One in two passes the first comparison, one in four passes two, one in eight passes all.
    static let all: [SampleRecord] = (0..<1024).map { number in
        SampleRecord(
            priority: number % 2 == 0 ? 3 : 6,
            unit: number % 4 == 0 ? "nginx.service" : "sshd.service",
            message: number % 8 == 0
                ? "upstream request \(number) to 10.0.0.7:8080 ran into a time-out after 30 s"
                : "GET /index.html \(number) 200 in 12 ms for Mozilla/5.0 (X11; Linux x86_64)"
        )
    }
}
