import Bus

extension Trial {
    /// The same trial, made smaller step by step while it still fails.
    func shrunk(while fails: (Trial) -> Bool) -> Trial {
        var smallest = self
        while let smaller = smallest.smaller.first(where: fails) { smallest = smaller }
        return smallest
    }

    private var smaller: [Trial] {
        var trials: [Trial] = []
        if disposal != nil { trials.append(changed { $0.disposal = nil }) }
        if stopAfter != nil { trials.append(changed { $0.stopAfter = nil }) }
        trials += term.smaller.map { term in changed { $0.term = term } }
        for (index, script) in hot.enumerated() {
            trials += script.smaller.map { script in changed { $0.hot[index] = script } }
        }
        return trials
    }

    private func changed(_ change: (inout Trial) -> Void) -> Trial {
        var trial = self
        change(&trial)
        return trial
    }
}

extension Script {
    /// One event fewer.
    fileprivate var smaller: [Script] {
        events.indices.map { index in
            var script = self
            script.events.remove(at: index)
            return script
        }
    }
}

extension Term {
    /// One operator, one event, or one value fewer.
    var smaller: [Term] {
        switch self {
        case .source(.cold(let script)): return script.smaller.map { .source(.cold($0)) }
        case .source(.sequence(let values)) where !values.isEmpty: return [.source(.sequence(Array(values.dropLast())))]
        case .source: return []
        case .applied(let operation, let kind, let inputs):
            var terms = inputs
            for (index, input) in inputs.enumerated() {
                let options = input.smaller + (input.isNever ? [] : [.source(.never)])
                terms += options.map { smaller in
                    var changed = inputs
                    changed[index] = smaller
                    return .applied(operation, kind: kind, changed)
                }
            }
            return terms
        }
    }

    private var isNever: Bool {
        if case .source(.never) = self { return true }
        return false
    }
}
