import Records

/// Writes replies of the varlink protocol, each with the zero byte behind it.
enum VarlinkReply {
    static func append(
        to output: inout OutputBuffer,
        continues: Bool = false,
        _ members: (inout ReplyMembers) -> Void
    ) {
        write(to: &output, "{\"parameters\":", members)
        output.append(continues ? ",\"continues\":true}\0" : "}\0")
    }

    static func append(_ error: VarlinkError, to output: inout OutputBuffer) {
        output.append("{\"error\":")
        output.append(jsonText: error.name)
        write(to: &output, ",\"parameters\":") { error.write(parameters: &$0) }
        output.append("}\0")
    }

    private static func write(
        to output: inout OutputBuffer,
        _ before: StaticString,
        _ members: (inout ReplyMembers) -> Void
    ) {
        output.append(before)
        ReplyMembers.append(to: &output, members)
    }
}

/// The members of one object of a reply, as they are written.
struct ReplyMembers: ~Copyable {
    // Lent by the caller of `append`, for as long as this value lives.
    private let target: UnsafeMutablePointer<OutputBuffer>
    private var isFirst = true

    private init(_ target: UnsafeMutablePointer<OutputBuffer>) {
        self.target = target
    }

    /// Writes an object.
    static func append(to output: inout OutputBuffer, _ members: (inout ReplyMembers) -> Void) {
        output.append("{")
        withUnsafeMutablePointer(to: &output) { pointer in
            var writing = ReplyMembers(pointer)
            members(&writing)
        }
        output.append("}")
    }

    mutating func add(_ name: StaticString, _ value: String) { write(name) { $0.append(jsonText: value) } }

    mutating func add(_ name: StaticString, _ value: Bool) { write(name) { $0.append(value ? "true" : "false") } }

    mutating func add(_ name: StaticString, _ value: some FixedWidthInteger) {
        write(name) { output in
            if let small = UInt64(exactly: value) {
                output.append(decimal: small)
            } else {
                output.append(text: value.description)
            }
        }
    }

    mutating func add(_ name: StaticString, json bytes: UnsafeRawBufferPointer) { write(name) { $0.append(bytes) } }

    mutating func add(_ name: StaticString, text bytes: UnsafeRawBufferPointer) {
        write(name) { JSONText.append(text: bytes, to: &$0) }
    }

    /// A list of texts.
    mutating func add(_ name: StaticString, texts: [String]) {
        write(name) { output in
            for (index, text) in texts.enumerated() {
                output.append(index == 0 ? "[" : ",")
                output.append(jsonText: text)
            }
            output.append(texts.isEmpty ? "[]" : "]")
        }
    }

    /// A list whose elements are objects; `limit` bytes at most. Returns how many elements were written.
    mutating func add<Element>(
        _ name: StaticString,
        _ elements: some Sequence<Element>,
        limit: Int,
        _ members: (Element, inout ReplyMembers) -> Void
    ) -> Int {
        var count = 0
        write(name) { output in
            output.append("[")
            let start = output.count
            for element in elements {
                let before = output.count
                if count > 0 { output.append(",") }
                ReplyMembers.append(to: &output) { members(element, &$0) }
                if output.count - start > limit, count > 0 {
                    output.truncate(to: before)
                    break
                }
                count += 1
            }
            output.append("]")
        }
        return count
    }

    private mutating func write(_ name: StaticString, _ value: (inout OutputBuffer) -> Void) {
        target.pointee.append(isFirst ? "\"" : ",\"")
        isFirst = false
        target.pointee.append(name)
        target.pointee.append("\":")
        value(&target.pointee)
    }
}

extension OutputBuffer {
    mutating func append(jsonText text: String) {
        var text = text
        text.withUTF8 { JSONText.append(text: UnsafeRawBufferPointer($0), to: &self) }
    }
}
