import Bus

/// Tells apart the places that post, without reading the file's name: a static string is known by its address.
struct OriginPlace: Hashable {
    private let file: UnsafePointer<UInt8>
    private let line: UInt

    /// Nil for the rare static string that has no address.
    init?(_ origin: PostOrigin) {
        guard origin.fileID.hasPointerRepresentation else { return nil }
        file = origin.fileID.utf8Start
        line = origin.line
    }
}
