import Bus

/// Tells apart the places that post, without reading the file's name: a static string is known by its address.
struct OriginPlace: Hashable {
    private let file: UnsafePointer<UInt8>
    private let line: UInt

    /// Nil for the rare static string that has no address.
    init?(_ origin: CodeLocation) {
        guard origin.file.hasPointerRepresentation else { return nil }
        file = origin.file.utf8Start
        line = origin.line
    }
}
