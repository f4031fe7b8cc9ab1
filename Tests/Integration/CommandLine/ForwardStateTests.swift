import Bus
import BusTesting
import NATSBridge
import TestSupport
import Testing

@testable import busctl_rx

@Suite("The parts of busctl-rx forward")
struct ForwardStateTests {
    private func failure(_ reason: NATSError.Reason) -> ForwardError {
        .nats(NATSError(reason, "store", server: "nats://h"))
    }

    @Test("what waiting cannot change ends the run; what the next connection may change is waited for")
    func verdicts() {
        let patience = ForwardPatience()
        let sealed = failure(.jetStream(code: 10109, text: ""))
        let full = failure(.jetStream(code: 10077, text: ""))
        for error in [
            sealed, failure(.noStream), failure(.jetStream(code: 10039, text: "")),
            failure(.library(status: 1, text: "")),
        ] {
            #expect(!patience.isTemporary(error), "\(error)")
        }
        for error in [
            full, failure(.disconnected("")), failure(.timedOut), failure(.jetStream(code: 99_999, text: "")),
        ] {
            #expect(patience.isTemporary(error), "\(error)")
        }
        patience.foundStream()
        #expect(patience.isTemporary(failure(.library(status: 1, text: ""))) && !patience.isTemporary(sealed))
        for round in 1...ForwardPatience.maxDenials {
            patience.failed(failure(.noStream))
            #expect(patience.isTemporary(failure(.noStream)) == (round < ForwardPatience.maxDenials))
        }
        // Something else came in between.
        patience.failed(full)
        patience.failed(failure(.noStream))
        #expect(patience.isTemporary(failure(.noStream)))
        #expect(ForwardVerdict(.jetStream(code: 10054, text: "")) == .leaveOut)
        #expect(ForwardVerdict(.tooLarge(bytes: 2, limit: 1)) == .leaveOut)
    }

    @Test("the place has the stream's number and its date, and is read from files without them")
    func place() {
        let place = ForwardPlace(cursor: "c", sequence: 7, made: "2026-01-01T00:00:00Z")
        func read(_ text: String) -> ForwardPlace {
            ForwardPlace(lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        }
        #expect(read(place.text + "\n") == place)
        #expect(
            read("c\n") == ForwardPlace(cursor: "c") && read("c\n7\n") == ForwardPlace(cursor: "c", sequence: 7)
        )
        #expect(read("") == ForwardPlace() && read("\n0\n") == ForwardPlace(sequence: 0))
    }

    @Test("items are taken while there is room for their bytes, and go on when some is given back")
    func capacity() async throws {
        let capacity = ByteCapacity(100)
        let items = (0..<10).map { ForwardItem.entry(cursor: "\($0)", json: [UInt8](repeating: 0, count: 40)) }
        let recorder = Recorder(Signals.from(items).taking(capacity))
        #expect(recorder.valueCount == 3 && capacity.isFull)
        capacity.giveBack(40)
        #expect(recorder.valueCount == 4)
        capacity.giveBack(120)
        #expect(recorder.valueCount == 7)
        recorder.dispose()
        capacity.giveBack(120)
        #expect(recorder.valueCount == 7 && recorder.violations.isEmpty)
    }

    @Test("more messages behind the place than can be remembered are told")
    func known() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("JOURNAL", of: "journal.>")
        for number in 1...12 {
            let message = NATSMessage(subject: "journal.a")
            _ = try await scene.nats.publishAcknowledged(message, id: "\(number)", timeout: .seconds(600))
        }
        let server = try NATSAddress(argument: scene.server.url)
        func reports(_ most: Int, _ sequence: UInt64) async throws -> [String] {
            try await ForwardSending(to: server, "journal.a", maxKnown: most)
                .begin(from: ForwardPlace(cursor: "c", sequence: sequence)).reports
        }
        // In bytes, with about a hundred for each.
        #expect(try await reports(1_200, 0) == [])
        #expect(try await reports(800, 4) == [])
        let told = try await reports(500, 0)
        #expect(
            told.count == 1 && told[0].contains("more messages behind the saved place than are remembered (6)"),
            "\(told)"
        )
        // A file without a date, and a stream that has fewer messages.
        let fewer = try await reports(1_200, 13)
        #expect(fewer.count == 1 && fewer[0].contains("another than before"), "\(fewer)")
    }
}
