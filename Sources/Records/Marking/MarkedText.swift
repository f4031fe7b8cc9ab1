/// A text with parts that stand out. It is written from front to back, all at once or piece by piece.
///
/// A mark ends before a line feed and begins again after it. Where the text is written as it is, a mark also ends
/// before the text's own control sequences and begins again after them, and after a mark the text's own colours are
/// written again.
struct MarkedText {
    /// How the text is written.
    enum Form {
        case asItIs
        /// See ``TerminalText``.
        case visible
        /// The same, with tabs and line feeds made visible, too.
        case partOfLine
    }

    private let text: UnsafeRawBufferPointer
    private let form: Form
    private let look: MarkLook
    private var parts: ArraySlice<Range<Int>>
    private var colors = OwnColors()
    /// How many of the bytes written take no place on a terminal.
    private(set) var hidden = 0

    /// - Parameter parts: in order, without overlaps.
    init(_ text: UnsafeRawBufferPointer, _ parts: [Range<Int>], as form: Form, _ look: MarkLook) {
        self.text = text
        self.form = form
        self.look = look
        switch form {
        case .asItIs: self.parts = MarkBreaks.cut(parts, of: text, atSequences: true)[...]
        case .visible: self.parts = MarkBreaks.cut(parts, of: text, atSequences: false)[...]
        case .partOfLine: self.parts = parts[...]
        }
    }

    mutating func append(to output: inout OutputBuffer) {
        append(0..<text.count, to: &output)
    }

    /// Appends a piece. Pieces are appended in their order.
    mutating func append(_ range: Range<Int>, to output: inout OutputBuffer) {
        var position = range.lowerBound
        while let part = parts.first, part.lowerBound < range.upperBound {
            let marked = part.clamped(to: position..<range.upperBound)
            write(position..<marked.lowerBound, to: &output)
            if !marked.isEmpty { mark(marked, to: &output) }
            position = marked.upperBound
            guard part.upperBound <= range.upperBound else { break }
            parts.removeFirst()
        }
        write(position..<range.upperBound, to: &output)
    }

    private mutating func mark(_ range: Range<Int>, to output: inout OutputBuffer) {
        var before = output.count
        output.append(look.start)
        hidden += output.count - before
        write(range, to: &output)
        before = output.count
        output.append(look.end)
        output.append(look.resume)
        colors.append(to: &output)
        hidden += output.count - before
    }

    private mutating func write(_ range: Range<Int>, to output: inout OutputBuffer) {
        let piece = UnsafeRawBufferPointer(rebasing: text[range])
        switch form {
        case .asItIs:
            colors.note(piece)
            output.append(piece)
        case .visible: TerminalText.append(piece, keepsLines: true, to: &output)
        case .partOfLine: TerminalText.append(piece, keepsLines: false, to: &output)
        }
    }
}
