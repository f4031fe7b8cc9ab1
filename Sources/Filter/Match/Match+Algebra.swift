extension Match {
    /// Records that all of the matches select, in the simplest form: for schemas, as it keeps the rules of ``all(_:)``.
    package static func conjunction(_ matches: [Match]) -> Match {
        let parts = distinct(matches.flatMap { if case .all(let inner) = $0 { inner } else { [$0] } })
        if parts.contains(.nothing) { return .nothing }
        let rest = parts.filter { $0 != .everything }
        return rest.isEmpty ? .everything : rest.count == 1 ? rest[0] : .all(rest)
    }

    /// Records that any of the matches selects, in the simplest form: for schemas, as it keeps the rules of ``any(_:)``.
    package static func disjunction(_ matches: [Match]) -> Match {
        let parts = distinct(matches.flatMap { if case .any(let inner) = $0 { inner } else { [$0] } })
        if parts.contains(.everything) { return .everything }
        let rest = parts.filter { $0 != .nothing }
        return rest.isEmpty ? .nothing : rest.count == 1 ? rest[0] : .any(rest)
    }

    private static func distinct(_ matches: [Match]) -> [Match] {
        var known: Set<Match> = []
        return matches.filter { known.insert($0).inserted }
    }
}
