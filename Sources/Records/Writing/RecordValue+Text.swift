extension RecordValue {
    /// Lends the value as text: of a JSON text the part between its quotes, without escapes.
    package func withPlainBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .text(let bytes), .bytes(let bytes): return body(bytes)
        case .json(let value): return JSONObject.plain(value)?.withUnsafeBytes(body) ?? body(value)
        default:
            var text = self.text
            return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Writes the value as JSON. A value that is not valid JSON, though its source said so, is written as a text.
    func append(json output: inout OutputBuffer) {
        switch self {
        case .null: output.append("null")
        case .bool(let value): output.append(value ? "true" : "false")
        case .int(let value): output.append(text: "\(value)")
        case .uint(let value): output.append(decimal: value)
        case .double(let value) where value.isFinite: output.append(text: "\(value)")
        case .text(let bytes), .bytes(let bytes): JSONText.append(bytes, to: &output)
        case .json(let value) where JSONValue.append(value, to: &output): break
        case .double, .json, .time, .duration: withPlainBytes { JSONText.append($0, to: &output) }
        }
    }
}
