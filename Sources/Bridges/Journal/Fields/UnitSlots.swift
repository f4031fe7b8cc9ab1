/// The slots of the fields that name an entry's units, as `journalctl --unit` reads them.
struct UnitSlots: Sendable, Hashable {
    /// The unit of the process that wrote the entry, and that unit's slice.
    let own, slice: Int
    /// Entries of the service manager, process 1, about a unit.
    let process, about: Int
    /// Entries of a daemon of root about a unit.
    let user, object: Int
    /// Entries of systemd-coredump, which runs as root, about a unit whose process crashed.
    let message, crashed: Int

    static let coredumpMessage: StaticString = "fc2e22bc6ee647b6b90729ab34a250b1"
}

extension FieldSource where Self: ~Copyable {
    /// The first is the unit that the entry is about: the unit that another process names, or else the writer's own;
    /// `nil` when there is none. Then come the others, and the slice.
    func unit(_ slots: UnitSlots, at index: Int) -> UnsafeRawBufferPointer? {
        let crashed =
            isText(slots.message, UnitSlots.coredumpMessage) && isText(slots.user, "0") ? first(slots.crashed) : nil
        let about = isText(slots.process, "1") ? first(slots.about) : nil
        let object = isText(slots.user, "0") ? first(slots.object) : nil
        let own = first(slots.own)
        let main = crashed ?? about ?? object ?? own
        if index == 0 { return main }
        // The units that the first one took precedence over, in the same order; few entries have any.
        var rest = index
        var isPast = false
        for (unit, isSlice) in [
            (crashed, false), (about, false), (object, false), (own, false), (first(slots.slice), true),
        ] {
            guard let unit else { continue }
            if !isPast, !isSlice {
                isPast = true
                continue
            }
            rest -= 1
            if rest == 0 { return unit }
        }
        return nil
    }

    private func isText(_ slot: Int, _ text: StaticString) -> Bool {
        guard let value = first(slot) else { return false }
        return value.elementsEqual(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
