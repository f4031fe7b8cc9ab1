import Filter

/// A condition on one value of one journal field, whatever the entries that have it.
struct ValueTest: Sendable {
    /// `NAME=`
    let prefix: [UInt8]
    /// The text, if the condition is that the value contains this text.
    let contained: SoughtText?
    /// The value's slot in a record.
    let slot: Int
    private let probe: FieldProbe
    private let budget: FilterBudget

    /// `nil` where one of the conditions is on something that an entry does not have as one value, such as its time.
    static func list(_ probes: [FieldProbe], _ layout: FieldLayout, within budget: FilterBudget) -> [ValueTest]? {
        var tests: [ValueTest] = []
        for probe in probes {
            guard let slot = layout.slot(of: probe.field.id) else { return nil }
            let prefix = layout.names[slot] + [UInt8(ascii: "=")]
            tests.append(
                ValueTest(prefix: prefix, contained: probe.contained, slot: slot, probe: probe, budget: budget)
            )
        }
        return tests
    }

    /// Makes the condition for one thread: whether an entry with that value may be wanted.
    func makeCondition() -> (borrowing JournalRecord) -> Bool {
        let probe = probe.copy
        return { [budget] record in probe.mayHold(within: budget) { record.value(of: $0, at: $1) } }
    }
}

extension FieldLayout {
    /// The slot whose value is the field's; `nil` for fields that are made differently.
    fileprivate func slot(of field: FieldID) -> Int? {
        guard readings.indices.contains(field.rawValue) else { return nil }
        switch readings[field.rawValue] {
        case .text(let slot), .int(let slot, _): return slot
        default: return nil
        }
    }
}
