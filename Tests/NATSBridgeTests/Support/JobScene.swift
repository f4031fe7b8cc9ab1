import Bus
import NATSBridge
import TestSupport
import Testing
import Timers

/// A server with JetStream, and instances of jobs with connections and clocks of their own.
struct JobScene {
    static let configuration = #"jetstream { store_dir: "FOLDER/store" }"#
    static let timeToLive = Duration.seconds(30)

    let server: TestNATSServer
    let nats: NATSConnection

    init(_ configuration: String = JobScene.configuration) async throws {
        server = try await TestNATSServer.start(configuration)
        nats = server.connection()
    }

    /// A clock that a test sets.
    final class Clock: Sendable {
        private let reading = Lock(TimerInstant(nanoseconds: 0))

        var now: TimerInstant { reading.withLock { $0 } }

        func advance(by duration: Duration) { reading.withLock { $0 = $0.advanced(by: duration) } }
    }

    func bucket(_ name: String = "jobs") -> NATSJobBucket { NATSJobBucket(name, over: server.connection()) }

    /// An instance's lease.
    func lease(
        _ bucket: String = "jobs",
        timeToLive: Duration = JobScene.timeToLive,
        by clock: Clock = Clock()
    ) -> NATSJobLease {
        NATSJobLease(in: self.bucket(bucket), timeToLive: timeToLive) { clock.now }
    }

    /// Makes the stream of the bucket, as `nats kv add` does, with other settings.
    func makeBucket(_ settings: [String: String]) async throws {
        var all = [
            "name": "\"KV_jobs\"", "subjects": "[\"$KV.jobs.>\"]", "storage": "\"file\"", "discard": "\"new\"",
            "max_msgs_per_subject": "1", "allow_direct": "true",
        ]
        all.merge(settings) { $1 }
        let body = "{" + all.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
        try await ask("STREAM.CREATE.KV_jobs", body)
    }

    func ask(_ api: String, _ body: String = "") async throws {
        let answer = try await nats.request(body, to: "$JS.API.\(api)", timeout: .seconds(600))
        guard !answer.text.contains("\"error\"") else { throw Refusal(text: answer.text) }
    }

    struct Refusal: Error {
        let text: String
    }

    func put(_ text: String, _ key: String) async throws {
        let message = NATSMessage(subject: "$KV.jobs.\(key)", payload: Array(text.utf8))
        _ = try await nats.publishAcknowledged(message, timeout: .seconds(600))
    }

    /// What a key has; nil when it was never written.
    func value(_ key: String) async throws -> String? {
        let question = #"{"last_by_subj":"$KV.jobs.\#(key)"}"#
        let answer = try await nats.request(question, to: "$JS.API.DIRECT.GET.KV_jobs", timeout: .seconds(600))
        return answer.headers["Status"] == "404" ? nil : answer.text
    }

    /// Makes the bucket, and hears each record of a job.
    func watchRecords(of job: String, _ records: Heard<JobRecord>) async throws -> any Disposable {
        try await makeBucket(["max_msgs_per_subject": "64"])
        return nats.messages(ofStream: "KV_jobs", subject: "$KV.jobs.job.\(job)").subscribe(
            next: { item in
                switch item {
                case .message(let delivery):
                    do {
                        records.append(try JobRecord(text: delivery.message.text))
                    } catch {
                        Issue.record("\(error)")
                    }
                case .gap(let lost): Issue.record("\(lost ?? 0) records were not heard")
                case .caughtUp: break
                }
            },
            failed: { Issue.record("\($0)") }
        )
    }

    /// Asks until there is an answer: a server that was started again, or a busy machine, may need more time than the question has.
    static func answer<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        while true {
            do {
                return try await ask()
            } catch  where !RunLimit.isOver {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }
}
