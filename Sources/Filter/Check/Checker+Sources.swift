/// Operations on fields that have different types in the records of different sources.
extension Checker {
    /// The complaint about an operation that fits the fields' types in the records of some sources only, naming these.
    ///
    /// - Parameters:
    ///   - operands: with fields of unknown type.
    ///   - check: checks the operation on operands whose types are those of one source.
    /// - Throws: the complaint if the operation fits no source.
    func doubt(_ operands: [Term], _ check: ([Term]) throws(Complaint) -> Void) throws(Complaint) -> Complaint? {
        let types = operands.map { operand in operand.field.map { fields[$0].sourceTypes } ?? [] }
        var sources: [String] = []
        for type in types.joined() where !sources.contains(type.source) { sources.append(type.source) }
        var complaints: [(complaint: Complaint, sources: [String])] = []
        var unfitting = 0
        for source in sources {
            let known = zip(operands, types).map { operand, types in
                // A source without the field has nothing to compare.
                types.first { $0.source == source }.map { operand.with(type: StaticType($0.type)) } ?? operand
            }
            do throws(Complaint) {
                try check(known)
            } catch {
                unfitting += 1
                if let place = complaints.firstIndex(where: { $0.complaint.message == error.message }) {
                    complaints[place].sources.append(source)
                } else {
                    complaints.append((error, [source]))
                }
            }
        }
        guard let first = complaints.first else { return nil }
        if unfitting == sources.count { throw first.complaint }
        let doubts = complaints.map { complaint in
            "in records of \(complaint.sources.map { "'\($0)'" }.joined(separator: ", ")), \(complaint.complaint.message)"
        }
        return Complaint(doubts.joined(separator: "; "), at: first.complaint.range)
    }
}

extension Term {
    fileprivate func with(type: StaticType) -> Term { Term(kind: kind, type: type, range: range) }
}
