import Bus
import BusTesting
import Foundation
import NATSBridge
import TestSupport

/// Stands in for JetStream on a server that has none: a bucket in memory, whose answers a test loses or spoils.
final class ScriptedBucket: Sendable {
    enum Answer: Sendable {
        case right
        /// The request is carried out, and never answered.
        case lost
        /// The request is neither carried out nor answered.
        case dropped
        case nonsense
    }

    private struct State: Sendable {
        var entries: [String: (revision: UInt64, value: [UInt8])] = [:]
        var last: UInt64 = 0
        var writes = Answer.right
        var reads = Answer.right
    }

    /// With the server.
    let scene: JobScene
    private let state = Lock(State())
    private let serving = CompoundDisposable()

    init() async throws {
        scene = try await JobScene("")
        let settings = """
            {"config":{"subjects":["$KV.jobs.\\u003e"],"storage":"file","retention":"limits","discard":"new",\
            "max_msgs_per_subject":1}}
            """
        let ways: [(String, @Sendable (NATSMessage) async throws -> NATSReply)] = [
            ("$JS.API.STREAM.INFO.KV_jobs", { _ in NATSReply(settings) }),
            ("$JS.API.STREAM.MSG.GET.KV_jobs", { [self] in try await read($0) }),
            ("$KV.jobs.>", { [self] in try await write($0) }),
        ]
        for (subject, handler) in ways {
            scene.nats.replies(to: subject, handler)
                .subscribe(next: { _ in }, failed: { _ in })
                .store(in: serving)
        }
        try await scene.nats.flush(timeout: .seconds(600))
    }

    func end() { serving.dispose() }

    func answerWrites(_ answer: Answer) { state.withLock { $0.writes = answer } }

    func answerReads(_ answer: Answer) { state.withLock { $0.reads = answer } }

    private func read(_ request: NATSMessage) async throws -> NATSReply {
        let subject = request.text.split(separator: "\"").last { $0.hasPrefix("$KV") }.map { String($0) } ?? ""
        let (entry, answer) = state.withLock { ($0.entries[subject], $0.reads) }
        var reply = #"{"error":{"code":404,"err_code":10037,"description":"no message found"}}"#
        if let entry {
            let data = Data(entry.value).base64EncodedString()
            reply = #"{"message":{"subject":"\#(subject)","seq":\#(entry.revision),"data":"\#(data)"}}"#
        }
        return try await Self.say(NATSReply(reply), answer)
    }

    private func write(_ request: NATSMessage) async throws -> NATSReply {
        let expected = request.headers["Nats-Expected-Last-Subject-Sequence"].flatMap { UInt64($0) }
        let (text, answer) = state.withLock { state -> (String, Answer) in
            guard case .dropped = state.writes else {
                if let expected, state.entries[request.subject]?.revision ?? 0 != expected {
                    let text = #"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence"},"seq":0}"#
                    return (text, state.writes)
                }
                state.last += 1
                state.entries[request.subject] = (state.last, request.payload)
                return (#"{"stream":"KV_jobs","seq":\#(state.last)}"#, state.writes)
            }
            return ("", .dropped)
        }
        return try await Self.say(NATSReply(text), answer)
    }

    private static func say(_ reply: NATSReply, _ answer: Answer) async throws -> NATSReply {
        switch answer {
        case .right: return reply
        case .nonsense: return NATSReply("{\"seq\":")
        case .lost, .dropped:
            // Until the test is over.
            try await Task.sleep(for: .seconds(3600))
            return reply
        }
    }
}
