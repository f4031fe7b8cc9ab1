import ArgumentParser
import Filter
import FilterBridge

/// Fields that are named outside of a filter.
enum NamedFields {
    /// The names that every record has.
    private static let common: Set<String> = [
        "source", "severity", "priority", "message", "speaker", "sequence", "time",
    ]

    /// Refuses names that no record of the sources can have.
    ///
    /// - Parameter option: which names them.
    static func require(_ names: [String], of option: String, in sources: [RecordPlan.Source]) throws {
        let kinds = RecordPlan.kinds(of: sources)
        for name in names where isWord(name) && !common.contains(name) {
            do throws(FilterError) {
                _ = try RecordFilter("type(\(name)) != type(1)", sources: kinds)
            } catch {
                guard error.message.hasPrefix("there is no field \(name)") else { continue }
                let hint = error.message.split(separator: ";").last { $0.hasPrefix(" did you mean") }
                throw ValidationError(
                    "\(option) names '\(name)', but there is no such field in what is read"
                        + (hint.map { ";\($0)" }
                            ?? ". Write it as the source spells it, such as _PID, or a short name, such as unit.")
                )
            }
        }
    }

    private static func isWord(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
