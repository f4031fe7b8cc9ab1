extension JournalEntry {
    /// Calls `body` once for each name of a field, in the journal's order, without copying anything. The pointers are valid inside the
    /// call only.
    ///
    /// - Parameter body: gets the name, the field's first value, and the others if it was given several times.
    package func forEachField(
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ others: [UnsafeRawBufferPointer]) ->
            Void
    ) {
        storage.withView { view in
            for (index, slot) in view.slots.enumerated() {
                let name = view.name(of: slot)
                if view.slots[..<index].contains(where: { view.hasName($0, name) }) { continue }
                let others = view.slots[(index + 1)...].lazy.filter { view.hasName($0, name) }
                body(name, view.value(of: slot), others.map { view.value(of: $0) })
            }
        }
    }

    /// Calls `body` with the cursor, without copying it.
    package func withCursor<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withView { body($0.cursor) }
    }
}
