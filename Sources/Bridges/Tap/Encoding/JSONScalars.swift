import Records

/// Texts, numbers and the like as JSON.
extension JSONValueWriter {
    func append(_ value: Bool) { output.append(value ? "true" : "false") }

    func appendNull() { output.append("null") }

    /// JSON has no numbers that are not finite; they become the texts `NaN`, `Infinity` and `-Infinity`.
    func append(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        if value.isFinite {
            output.append(text: value.description)
        } else if value.isNaN {
            output.append("\"NaN\"")
        } else {
            output.append(value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
        }
    }

    func append(_ value: some FixedWidthInteger) {
        if let small = UInt64(exactly: value) {
            output.append(decimal: small)
        } else {
            output.append(text: value.description)
        }
    }
}
