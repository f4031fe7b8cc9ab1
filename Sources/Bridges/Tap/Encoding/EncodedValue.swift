import Bus
import Records

/// The form in which a value is shown.
enum EncodedValue {
    /// It is written as JSON.
    case json
    /// It cannot be encoded, and is written as a JSON string that describes it. A part that was cut off is not in it.
    case text(isCut: Bool)
    /// It has no text: more than the limit would be needed.
    case tooLarge
    /// It has no text, for the reason given.
    case failed(String)

    /// Appends a value's JSON to `output`, or nothing where it has none.
    ///
    /// Runs the value's own `encode(to:)` or `description`.
    ///
    /// - Parameter writer: is used for it, and may be used again.
    static func append(
        _ value: any Sendable,
        of topic: TopicName,
        with writer: JSONValueWriter,
        to output: inout OutputBuffer
    ) -> EncodedValue {
        let before = output.count
        let run = writer.run
        let bounds = run.bounds
        writer.reset(topic)
        if let redact = bounds.redact, redact(topic, []) {
            output.append(JSONValueWriter.redacted)
            return .json
        }
        if let ready = value as? TapJSON {
            guard ready.text.count <= bounds.size else { return .tooLarge }
            ready.text.withUnsafeBytes { output.append($0) }
            return .json
        }
        guard let encodable = value as? any Encodable else { return describe(value, bounds, &output) }
        do {
            try encodable.encode(to: writer.push(nil))
            if let problem = run.problem { throw problem }
        } catch {
            // The value may have failed in its own way after, and because of, ours.
            switch run.problem {
            case .tooLarge: return .tooLarge
            case let problem?: return .failed("\(problem)")
            case nil: return .failed("\(error)")
            }
        }
        writer.finish(into: &output)
        guard output.count - before <= bounds.size else {
            output.truncate(to: before)
            return .tooLarge
        }
        return .json
    }

    private static func describe(
        _ value: any Sendable,
        _ bounds: EncodingBounds,
        _ output: inout OutputBuffer
    ) -> EncodedValue {
        let before = output.count
        var text = String(describing: value)
        // As JSON it is longer, and is cut again.
        if text.utf8.count > bounds.size { text = String(decoding: text.utf8.prefix(bounds.size), as: UTF8.self) }
        text.withUTF8 { JSONText.append(text: UnsafeRawBufferPointer($0), to: &output) }
        guard output.count - before > bounds.size else { return .text(isCut: false) }
        output.truncate(to: output.withBytes { end(of: $0, from: before, limit: bounds.size) })
        output.append("\"")
        return .text(isCut: true)
    }

    /// The place at which a JSON string is cut so that no character is split, and the string and a quotation mark keep the limit.
    private static func end(of bytes: UnsafeRawBufferPointer, from start: Int, limit: Int) -> Int {
        var end = start + 1
        while end + 1 < start + limit {
            var next = end + 1
            if bytes[end] == UInt8(ascii: "\\") {
                next = end + (bytes[next] == UInt8(ascii: "u") ? 6 : 2)
            } else {
                while bytes[next] & 0xC0 == 0x80 { next += 1 }
            }
            guard next < start + limit else { break }
            end = next
        }
        return end
    }
}
