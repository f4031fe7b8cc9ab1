extension Match {
    /// Records that all of the matches select, in the simplest form.
    public static func conjunction(_ matches: [Match]) -> Match {
        var parts: [Match] = []
        for match in matches.flatMap({ if case .all(let inner) = $0 { inner } else { [$0] } }) {
            if match == .nothing { return .nothing }
            if match != .everything, !parts.contains(match) { parts.append(match) }
        }
        return parts.isEmpty ? .everything : parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Records that any of the matches selects, in the simplest form.
    public static func disjunction(_ matches: [Match]) -> Match {
        var parts: [Match] = []
        for match in matches.flatMap({ if case .any(let inner) = $0 { inner } else { [$0] } }) {
            if match == .everything { return .everything }
            if match != .nothing, !parts.contains(match) { parts.append(match) }
        }
        return parts.isEmpty ? .nothing : parts.count == 1 ? parts[0] : .any(parts)
    }
}
