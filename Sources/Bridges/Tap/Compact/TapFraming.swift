import Records

/// How the records of a watch are told apart, once it has begun.
enum TapFraming: String {
    /// Messages of varlink.
    case json
    /// Frames; see ``CompactFrame``.
    case compact

    /// Writes a message of varlink, of which `write` writes the text and the zero byte behind it.
    func append(to output: inout OutputBuffer, _ write: (inout OutputBuffer) -> Void) {
        switch self {
        case .json: write(&output)
        case .compact: CompactFrame.append(message: write, to: &output)
        }
    }
}
