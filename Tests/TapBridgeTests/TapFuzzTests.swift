import Bus
import Records
import TestSupport
import Testing

@testable import TapBridge

/// Nothing that a tap sends may crash its client. `make fuzz` runs this for minutes, with Address Sanitizer.
@Suite struct TapFuzzTests {
    private struct Counts {
        var events = 0
        var refused = 0
    }

    @Test func `damaged frames are read or refused, and never trap`() {
        let fuzzing = Fuzzing("TAP", rounds: 2000, stress: 100_000)
        var counts = Counts()
        let inputs = fuzzing.run { generator, _ in look(at: bytes(&generator), &generator, &counts) }
        // Inputs that are all refused, or all sound, would exercise little.
        #expect(counts.events > inputs / 2)
        #expect(counts.refused > inputs / 10 && counts.refused < inputs)
        if fuzzing.isAsked { print("\(inputs) inputs: \(counts)") }
    }

    /// Sound frames, followed by some damage.
    private func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
        var output = OutputBuffer(capacity: 1024)
        let texts = [
            #"{"topic":"a.b","scope":"","origin":"F/f.swift:7","type":"Int"}"#, "{}", #"{"value":[1,{"a":"\u00e9"}]}"#,
            #"{"text":"x","truncated":true}"#, #"{"error":"e"}"#, #"{"truncated":true}"#,
        ]
        var known: UInt32 = 0
        for _ in 0..<generator.number(1..<12) {
            switch generator.number(0..<4) {
            case 0:
                CompactFrame.append(.names, to: &output) { output in
                    output.append(littleEndian: known)
                    output.append(text: generator.pick(texts))
                }
                known += 1
            case 1:
                CompactFrame.append(
                    message: { VarlinkReply.append(to: &$0, continues: true) { $0.add("kind", "gap") } },
                    to: &output
                )
            default:
                guard known > 0 else { continue }
                CompactFrame.append(.event, to: &output) { output in
                    output.append(littleEndian: UInt32(generator.number(0..<Int(known))))
                    for _ in 0..<3 { output.append(littleEndian: generator.next()) }
                    output.append(text: generator.pick(texts))
                }
            }
        }
        return generator.damaged(output.withBytes { Array($0) })
    }

    private func look(at bytes: [UInt8], _ generator: inout SeededGenerator, _ counts: inout Counts) {
        var reader = CompactReader()
        var rest = bytes[...]
        do throws(CompactReader.Malformed) {
            while !rest.isEmpty {
                let part = rest.prefix(generator.number(1..<200))
                rest = rest.dropFirst(part.count)
                reader.append(part)
                while let frame = try reader.next() {
                    switch frame {
                    case .event(let event):
                        counts.events += 1
                        _ = (
                            event.topic, event.scope, event.origin, event.type, event.value, event.sequence, event.time
                        )
                        event.withFields { _ = $0.count }
                        event.withMessage { _ = $0?.count }
                    case .message(let message):
                        if case .reply(let reply) = TapReply.read(message) { _ = try? TapNews.read(reply.parameters) }
                    }
                }
            }
        } catch {
            counts.refused += 1
        }
    }
}
