/// The colours that a text has by control sequences of its own, so that they can be written again.
struct OwnColors {
    /// A terminal keeps more of them; nobody writes as many.
    private static let maxCount = 8
    private static let maxLength = 64

    /// The sequences since the last one that ended all others.
    private var sequences: [[UInt8]] = []

    /// Takes the next piece of the text, which has whole sequences.
    mutating func note(_ piece: UnsafeRawBufferPointer) {
        var index = 0
        while let start = piece[index...].firstIndex(of: 0x1B) {
            index = ControlSequence.end(in: piece, from: start)
            let sequence = piece[start..<index]
            guard ControlSequence.isColor(sequence), sequence.count <= Self.maxLength else { continue }
            if ControlSequence.resets(sequence) { sequences = [] }
            if sequences.count == Self.maxCount { sequences.removeFirst() }
            sequences.append(Array(sequence))
        }
    }

    func append(to output: inout OutputBuffer) {
        for sequence in sequences { sequence.withUnsafeBytes { output.append($0) } }
    }
}
