package import Bus
package import FilterBridge
import Glibc
import OSSignalBridge
package import Records

/// OS signals that are sent to this process: `signals:HUP,USR1`.
package struct OSSignalRecords: RecordSource {
    package static let spellings = [
        SourceSpelling(
            "signals",
            operand: "NAME,…",
            example: "signals:HUP,USR1",
            summary: "OS signals that are sent to busctl-rx",
            name: "signal"
        )
    ]

    package let word = "signals"
    /// The signals' numbers, such as `SIGHUP`.
    package let numbers: [CInt]

    package init(word: String, operand: String) throws(SourceArgumentError) {
        var numbers: [CInt] = []
        for name in operand.split(separator: ",", omittingEmptySubsequences: false) {
            numbers.append(try Self.number(String(name)))
        }
        self.numbers = numbers
    }

    package var fields: RecordKind { .osSignals }
    package var traits: SourceTraits { .live }

    package func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        do throws(OSSignalError) {
            let set = try OSSignalSet(numbers)
            return Signals.osSignals(set).records(named: request.name).mapError { request.failure($0.description) }
                .items(request)
        } catch {
            return Signals.fail(request.failure(error.description)).eraseToAnySignal()
        }
    }

    /// The number of a signal that can be listened to, by its name with or without SIG, or its number.
    private static func number(_ name: String) throws(SourceArgumentError) -> CInt {
        let capitals = name.uppercased()
        let number = OSSignal.numbersByName[capitals.hasPrefix("SIG") ? capitals : "SIG\(capitals)"] ?? CInt(name) ?? -1
        if number == SIGINT || number == SIGTERM {
            throw SourceArgumentError("INT and TERM end busctl-rx and cannot be listened to")
        }
        do throws(OSSignalError) {
            _ = try OSSignalSet([number])
        } catch {
            throw SourceArgumentError("'\(name)' is no signal that can be listened to; write names such as HUP,USR1")
        }
        return number
    }
}
