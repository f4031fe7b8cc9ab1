import Filter

/// A condition on one value of one journal field, whatever the entries that have it.
struct ValueTest: Sendable {
    /// `NAME=`
    let prefix: [UInt8]
    /// The text, if the condition is that the value contains this text.
    let contained: SoughtText?
    /// The slot in a record from which the probe's field is read.
    let slot: Int
    private let probe: FieldProbe
    private let budget: FilterBudget

    /// `nil` where one of the conditions is on something that an entry does not have as one value, such as its time.
    static func list(_ probes: [FieldProbe], _ layout: FieldLayout, within budget: FilterBudget) -> [ValueTest]? {
        var tests: [ValueTest] = []
        for probe in probes {
            guard let (slot, sources) = layout.sources(of: probe) else { return nil }
            for source in sources {
                tests.append(
                    ValueTest(
                        prefix: layout.names[source] + [UInt8(ascii: "=")],
                        contained: probe.contained,
                        slot: slot,
                        probe: probe,
                        budget: budget
                    )
                )
            }
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
    /// A slot from which the probe's field is read, and the slots of the journal fields that its value may come from; `nil` for fields
    /// that are made differently.
    fileprivate func sources(of probe: FieldProbe) -> (slot: Int, sources: [Int])? {
        let field = probe.field.id.rawValue
        guard readings.indices.contains(field) else { return nil }
        switch readings[field] {
        case .text(let slot), .int(let slot, _): return (slot, [slot])
        case .unit(let slots):
            let units = [slots.own, slots.about, slots.object, slots.crashed]
            // An entry is found under its slice, too, but its unit is never the slice.
            return (slots.own, probe.isOfAnyValue ? units + [slots.slice] : units)
        default: return nil
        }
    }
}
