import Records

/// The form of a watch's records, once it has begun.
enum TapFraming: String {
    /// Messages of varlink.
    case json
    /// Frames; see ``CompactFrame``.
    case compact

    /// Writes a message of varlink: `write` writes the text, and a zero byte follows.
    func append(to output: inout OutputBuffer, _ write: (inout OutputBuffer) -> Void) {
        switch self {
        case .json: write(&output)
        case .compact: CompactFrame.append(message: write, to: &output)
        }
    }
}
