/// The offsets of fields in objects, for tests that damage them.
package enum JournalObjectField {
    /// In all objects.
    package static let type = 0
    package static let flags = 1
    package static let size = 8
    /// In DATA and FIELD.
    package static let hash = 16
    package static let nextHash = 24
    /// In DATA.
    package static let nextField = 32
    package static let entryOffset = 40
    package static let entryArray = 48
    package static let entryCount = 56
    /// In FIELD.
    package static let headData = 32
    /// In ENTRY.
    package static let sequence = 16
    package static let realtime = 24
    package static let monotonic = 32
    package static let boot = 40
    package static let items = 64
    /// In ENTRY_ARRAY.
    package static let nextArray = 16
    package static let slots = 24
    /// In hash tables.
    package static let buckets = 16
}
