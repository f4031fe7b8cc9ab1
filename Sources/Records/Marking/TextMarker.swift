/// Finds the parts of texts to mark.
package protocol TextMarker: Sendable {
    /// The parts of a value, as it is stored: in order, without overlaps, none of them empty, each of whole
    /// characters.
    ///
    /// - Parameter isMessage: whether it is a record's message, and not another of its fields.
    func parts(of text: UnsafeRawBufferPointer, isMessage: Bool) -> [Range<Int>]
}
