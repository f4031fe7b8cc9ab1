/// The encoder of a value, and the handle of its containers: a level of a writer.
struct JSONValueEncoder: Encoder {
    let writer: JSONValueWriter
    let level: Int
    let id: UInt64

    var codingPath: [any CodingKey] { writer.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONKeyedContainer(encoder: begin(.keyed)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONUnkeyedContainer(encoder: begin(.unkeyed)) }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleContainer(encoder: begin(.single)) }

    private func begin(_ kind: JSONValueWriter.Kind) -> JSONValueEncoder {
        if !writer.begin(kind, level, id) {
            // The call cannot throw. The next write does.
            _ = writer.run.fail(.malformed("a value asked for containers of two kinds"))
        }
        return self
    }

    /// Writes a part of this level that is a value of its own.
    func encode<Part: Encodable>(_ value: Part, _ kind: JSONValueWriter.Kind, key: (any CodingKey)?) throws {
        try writer.part(level, id, kind, key: key) {
            try value.encode(to: writer.push(key))
            writer.pop()
        }
    }

    /// Writes a part of this level that is a text, a number or the like.
    func write(
        _ kind: JSONValueWriter.Kind,
        key: (any CodingKey)?,
        _ body: (JSONValueWriter) throws -> Void
    ) throws {
        try writer.part(level, id, kind, key: key) { try body(writer) }
    }

    /// The encoder of a part that is written later.
    func later(_ kind: JSONValueWriter.Kind, key: any CodingKey) -> JSONValueEncoder {
        var inner: JSONValueEncoder?
        do {
            try writer.part(level, id, kind, key: key) { inner = try writer.insert(key).push(nil) }
        } catch {
            _ = writer.run.fail(error as? EncodingProblem ?? .malformed("\(error)"))
        }
        // Hidden or failed parts are written to a text that is discarded.
        return inner ?? JSONValueEncoder(writer: writer.nowhere(key), level: 0, id: 0).opened()
    }

    private func opened() -> JSONValueEncoder { (try? writer.push(nil)) ?? self }
}
