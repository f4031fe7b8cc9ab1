import Testing

@testable import NATSBridge

@Suite("The beginning of a reading of a stream")
struct StreamStateTests {
    private func state(_ first: Int, _ last: Int) -> NATSStreamState {
        NATSStreamState(Array(#"{"config":{},"state":{"first_seq":\#(first),"last_seq":\#(last)}}"#.utf8))
    }

    @Test("new messages begin behind the present last one, also when the reading is interrupted before the first")
    func new() {
        let first = state(3, 7).beginning(of: .new)
        #expect(first.start == .after(7) && first.missing == nil)
        // Two were stored before the second attempt.
        let second = state(3, 9).beginning(of: first.start)
        #expect(second.start == .after(7) && second.missing == nil)
    }

    @Test("the last message of an empty stream is its first")
    func last() {
        #expect(state(0, 0).beginning(of: .last).start == .after(0) && state(1, 4).beginning(of: .last).start == .last)
    }

    @Test("removed messages are missing once, and all of a stream that was made anew")
    func missing() {
        let removed = state(6, 9).beginning(of: .after(2))
        #expect(removed.start == .after(5) && removed.missing == .init(count: 3))
        #expect(state(6, 9).beginning(of: removed.start).missing == nil)
        #expect(state(3, 9).beginning(of: .after(2)).missing == nil)
        let anew = state(1, 2).beginning(of: .after(7))
        #expect(anew.start == .first && anew.missing == .init(count: nil))
        let longer = state(1, 9).beginning(of: .after(7), isAnother: true)
        #expect(longer.start == .first && longer.missing == .init(count: nil))
    }

    @Test("the greatest numbers that a server can tell")
    func greatest() {
        let json = #"{"config":{},"state":{"first_seq":1,"last_seq":18446744073709551615}}"#
        let whole = NATSStreamState(Array(json.utf8)).beginning(of: .after(.max))
        #expect(whole.start == .after(.max) && whole.missing == nil)
        #expect(Duration.seconds(Int64.min).natsMilliseconds == 1 && Duration.milliseconds(-1).natsMilliseconds == 1)
    }

    @Test("a message that is not stored yet is acknowledged by no number")
    func unstored() {
        func outcome(_ answer: String) -> Result<NATSAcknowledgement, JetStreamAnswer.Refusal> {
            JetStreamAnswer(Array(answer.utf8)).acknowledgement(answer)
        }
        #expect((try? outcome(#"{"stream":"S","seq":7,"duplicate":true}"#).get())?.sequence == 7)
        guard case .failure(let refusal) = outcome(#"{"stream":"S","seq":0,"duplicate":true}"#),
            case .jetStream(10158, _) = refusal.reason
        else {
            Issue.record("taken for stored")
            return
        }
    }
}
