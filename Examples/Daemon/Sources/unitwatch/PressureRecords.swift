import Bus
import Filter
import FilterBridge
import Foundation
import Records
import RecordSources
import Timers

/// A kind of source of this program's own. `pressure:memory`: that programs have begun or ceased to wait for memory, from the kernel's pressure
/// stall information (Documentation/accounting/psi.rst). A path stands for the file of a control group.
struct PressureRecords: RecordSource {
    static let spellings = [
        SourceSpelling(
            "pressure",
            operand: "cpu|memory|io|PATH",
            example: "pressure:memory",
            summary: "that programs have to wait for it"
        )
    ]

    /// In percent of the last ten seconds, in which some program waited.
    private static let limit = 20.0

    let word: String
    private let file: String

    init(word: String, operand: String) throws(SourceArgumentError) {
        self.word = word
        guard operand.hasPrefix("/") || ["cpu", "memory", "io"].contains(operand) else {
            throw SourceArgumentError("write cpu, memory, io or the path of a control group's file")
        }
        file = operand.hasPrefix("/") ? operand : "/proc/pressure/\(operand)"
    }

    var fields: RecordKind { .fields(["waiting": .double]) }
    var traits: SourceTraits { .live }

    func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        Signals.interval(every: .seconds(1))
            .deliver(on: request.scheduler, limit: 1, overflow: .dropNewest)
            .attemptMap { _ throws(SourceError) in try waiting(request) }
            .removeDuplicates { ($0 > Self.limit) == ($1 > Self.limit) }
            .records(named: request.name) { waiting in
                RecordFields(
                    message: "programs wait for \(waiting) % of the time",
                    severity: waiting > Self.limit ? .error : .info,
                    ["waiting": .double(waiting)]
                )
            }
            .items(request)
    }

    /// The number behind `some avg10=`.
    private func waiting(_ request: SourceRequest) throws(SourceError) -> Double {
        do {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let words = text.split(whereSeparator: \.isWhitespace)
            guard words.count > 1, words[0] == "some", let number = Double(words[1].dropFirst("avg10=".count)) else {
                throw request.failure("\(file) is not of the form of the kernel's pressure stall information")
            }
            return number
        } catch let failure as SourceError {
            throw failure
        } catch {
            throw request.failure("cannot read \(file): \(error.localizedDescription)")
        }
    }
}
