/// Fields alone as a JSON object in a line.
package enum JSONLine {
    /// Without a line feed. No name is looked for twice.
    package static func text(of content: some RecordContent) -> String {
        var output = OutputBuffer(capacity: 512)
        output.append("{")
        content.withFields { fields in
            for (index, field) in fields.enumerated() {
                if index > 0 { output.append(",") }
                JSONText.append(name: field.name, to: &output)
                output.append(":")
                field.value.append(json: &output)
            }
        }
        output.append("}")
        return output.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}
