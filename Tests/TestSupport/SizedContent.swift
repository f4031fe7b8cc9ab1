package import Records

/// The content of a record, as large as it says, with nothing in it.
package struct SizedContent: RecordContent {
    package let footprint: Int
    package var severity: Severity? { nil }

    package init(footprint: Int) {
        self.footprint = footprint
    }

    package func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result { body(nil) }

    package func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: nil, count: 0))
    }
}
