import Filter

/// A ``Match`` in the shape that a journal file's index takes: all of some alternatives of field tests.
///
/// Within one alternative, values of the same field are alternatives again and different fields must all hold; so a
/// field that must have two values at once needs two conditions. If the match does not fit into this shape, the
/// result selects more than the match does, never less.
struct MatchTerms: Equatable {
    /// Field to values; any of the values is enough.
    typealias Alternative = [String: [[UInt8]]]

    /// Each must hold; each is a list of alternatives.
    private(set) var conditions: [[Alternative]] = []
    /// Nothing at all can be selected.
    private(set) var isNothing = false

    /// Each term is a list to be searched for in every file, and scanned if it is there: some thirty units take as many. Whether
    /// walking takes less than reading everything is asked of each file.
    static let maxTerms = 160

    init(_ match: Match) {
        if match == .nothing {
            isNothing = true
            return
        }
        var found = Self.conditions(of: match).filter { !$0.isEmpty }
        while found.reduce(0, { $0 + Self.count($1) }) > Self.maxTerms {
            guard let largest = found.indices.max(by: { Self.count(found[$0]) < Self.count(found[$1]) }) else { break }
            found.remove(at: largest)
        }
        conditions = Self.joined(found)
    }

    /// The same as a match.
    var match: Match {
        if isNothing { return .nothing }
        return .conjunction(
            conditions.map { alternatives in
                .disjunction(
                    alternatives.map { alternative in
                        .conjunction(
                            alternative.sorted { $0.key < $1.key }.map { field, values in
                                .disjunction(values.map { .term(field: field, value: $0) })
                            }
                        )
                    }
                )
            }
        )
    }

    private static func count(_ alternatives: [Alternative]) -> Int {
        alternatives.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
    }

    /// Conditions with one alternative each, and no field in common, fit into one.
    private static func joined(_ conditions: [[Alternative]]) -> [[Alternative]] {
        var joint: Alternative = [:]
        var rest: [[Alternative]] = []
        for condition in conditions {
            if condition.count == 1, condition[0].keys.allSatisfy({ joint[$0] == nil }) {
                joint.merge(condition[0]) { old, _ in old }
            } else {
                rest.append(condition)
            }
        }
        return joint.isEmpty ? rest : [[joint]] + rest
    }

    private static func conditions(of match: Match) -> [[Alternative]] {
        switch match {
        case .everything, .nothing: []
        case .term, .any: [alternatives(of: match)].compactMap { $0 }
        case .all(let parts): parts.flatMap { conditions(of: $0) }
        }
    }

    /// `nil` where the match is not to be restricted at all.
    private static func alternatives(of match: Match) -> [Alternative]? {
        switch match {
        case .everything: return nil
        case .nothing: return []
        case .term(let field, let value): return [[field: [value]]]
        case .any(let parts):
            var found: [Alternative] = []
            for part in parts {
                guard let more = alternatives(of: part) else { return nil }
                for alternative in more { add(alternative, to: &found) }
            }
            return found
        case .all(let parts):
            var found: [Alternative]?
            for part in parts {
                guard let more = alternatives(of: part) else { continue }
                found = found.map { both($0, more) } ?? more
                if let found, found.count > maxTerms { return nil }
            }
            return found
        }
    }

    /// Two alternatives that differ in the values of one field are one with the values of both.
    private static func add(_ alternative: Alternative, to list: inout [Alternative]) {
        for index in list.indices where list[index].count == alternative.count {
            let differing = alternative.keys.filter { list[index][$0] != alternative[$0] }
            guard differing.count <= 1 else { continue }
            guard let field = differing.first else { return }
            // A field that only one of them tests is no difference in values.
            guard var values = list[index][field], let more = alternative[field] else { continue }
            values += more.filter { !values.contains($0) }
            list[index][field] = values
            return
        }
        list.append(alternative)
    }

    /// Every pair. Where both test the same field only the left test is kept, which selects more.
    private static func both(_ left: [Alternative], _ right: [Alternative]) -> [Alternative] {
        left.flatMap { one in right.map { other in one.merging(other) { kept, _ in kept } } }
    }
}
