import Synchronization

/// A key-value bucket of JetStream, for what the instances of jobs on several machines have in common.
///
/// | key | what it has | written by |
/// | --- | --- | --- |
/// | `lease.JOB` | who runs the job, in text | ``NATSJobLease`` |
/// | `job.JOB` | the job's record, in text | ``NATSJobStore`` |
/// | `damaged.JOB` | what was under `job.JOB` and is not a record | ``NATSJobStore`` |
///
/// A bucket is the stream `KV_NAME`, as other clients of NATS make it, so `nats kv get NAME lease.JOB` shows a lease.
/// Characters of a job's name other than letters, digits, `-` and `_` are written as `=` and two hexadecimal digits.
///
/// The bucket is made when it is missing: it is kept in files, and has one version of each key for ever. A bucket that is
/// there is used if it keeps what is written: in files, without `max_age`, with one to 64 versions of a key, and
/// refusing what is new when it is full. Otherwise every request fails with a ``NATSJobError`` that says what is wrong.
///
/// In a cluster, the server that leads the stream answers all requests, and not one that may lag behind. Where a leader is cut
/// off and does not know it yet, what it answers may be old; nothing is written over what is newer.
///
/// What is written survives a server that is killed, within the limits of ``NATSAcknowledgement``. Use `replicas: 3` in a
/// cluster.
public final class NATSJobBucket: Sendable {
    /// The bucket's name, without the prefix `KV_` of its stream.
    public let name: String
    /// How many servers of a cluster have the bucket, if it is made.
    public let replicas: Int
    private let connection: NATSConnection
    /// Whether the bucket was there, and its settings were right.
    private let isChecked = Atomic<Bool>(false)

    /// Asks nothing yet.
    ///
    /// - Parameters:
    ///   - name: letters, digits, `-` and `_`.
    ///   - connection: over which it is reached.
    ///   - replicas: how many servers of a cluster have the bucket, if it is made.
    public init(_ name: String, over connection: NATSConnection, replicas: Int = 1) {
        self.name = name
        self.connection = connection
        self.replicas = replicas
    }

    /// A key as it is in the bucket.
    struct Entry: Sendable {
        let revision: UInt64
        /// Empty when the key was deleted.
        let value: [UInt8]
    }

    /// The key of a job, for any name; different names have different ones.
    static func key(_ kind: String, of job: String) -> String {
        var key = kind + "."
        for byte in job.utf8 {
            if NATSConsumer.isName(String(UnicodeScalar(byte))) {
                key.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                key += (byte < 16 ? "=0" : "=") + String(byte, radix: 16, uppercase: true)
            }
        }
        return job.isEmpty ? key + "=" : key
    }

    private var stream: String { "KV_\(name)" }

    private func subject(_ key: String) -> String { "$KV.\(name).\(key)" }

    /// - Returns: nil when there never was such a key.
    func read(_ key: String, within timeout: Duration) async throws -> Entry? {
        try await checked(within: timeout) {
            let question = #"{"last_by_subj":"\#(subject(key))"}"#
            // Not DIRECT.GET, which any server of a cluster answers, perhaps with an older revision.
            let answer = try await ask("STREAM.MSG.GET.\(stream)", question, "read", within: timeout).payload
            if let reason = JetStreamAnswer(answer).error {
                if case .jetStream(10037, _) = reason { return nil }
                throw error(reason, "read")
            }
            guard let message = JetStreamAnswer.Message(in: answer), message.subject == subject(key) else {
                throw error("the answer to a question for the key \(key) is not one")
            }
            return Entry(revision: message.sequence, value: message.payload)
        }
    }

    /// Writes a value in place of that with a revision; 0 is that of none.
    ///
    /// - Parameter isDeletion: whether other clients should see no key then.
    /// - Returns: its revision; nil when the key has another revision than that.
    func write(
        _ value: [UInt8],
        to key: String,
        over revision: UInt64?,
        isDeletion: Bool = false,
        within timeout: Duration
    ) async throws -> UInt64? {
        try await checked(within: timeout) {
            var message = NATSMessage(subject: subject(key), payload: value)
            if let revision { message.headers["Nats-Expected-Last-Subject-Sequence"] = "\(revision)" }
            if isDeletion { message.headers["KV-Operation"] = "DEL" }
            do {
                let stored = try await connection.publishAcknowledged(message, timeout: timeout)
                guard stored.stream == stream else { throw error("the stream \(stored.stream) stores its keys") }
                return stored.sequence
            } catch let failure as NATSError {
                // The second is how a server of a cluster says it, from 2.11 on.
                if case .jetStream(10071, _) = failure.reason { return nil }
                if case .jetStream(10164, _) = failure.reason { return nil }
                throw failure
            }
        }
    }

    // MARK: The stream

    /// Makes the bucket if it is missing, and looks at its settings, before the first request and after one that failed.
    private func checked<Answer: Sendable>(
        within timeout: Duration,
        _ request: () async throws -> Answer
    ) async throws -> Answer {
        if !isChecked.load(ordering: .relaxed) {
            try await check(within: timeout)
            isChecked.store(true, ordering: .relaxed)
        }
        do {
            return try await request()
        } catch {
            // The bucket may be gone: nobody answers for one that was deleted.
            isChecked.store(false, ordering: .relaxed)
            throw error
        }
    }

    private func check(within timeout: Duration) async throws {
        guard NATSConsumer.isName(name), name.utf8.count <= 200 else {
            throw error("that is not the name of a bucket (letters, digits, - and _ are allowed, at most 200)")
        }
        let operation = "look up"
        var answer = try await ask("STREAM.INFO.\(stream)", "", operation, within: timeout)
        if case .jetStream(10059, _)? = JetStreamAnswer(answer.payload).error {
            // If another instance is faster, the answer is an error, or the bucket that there is.
            _ = try await ask("STREAM.CREATE.\(stream)", settings, "make", within: timeout)
            answer = try await ask("STREAM.INFO.\(stream)", "", operation, within: timeout)
        }
        if let reason = JetStreamAnswer(answer.payload).error { throw error(reason, operation) }
        if let flaw = NATSBucketSettings(answer.payload).flaw(subject: subject(">")) { throw error(flaw) }
    }

    private var settings: String {
        #"{"name":"\#(stream)","subjects":["\#(subject(">"))"],"storage":"file","retention":"limits","discard":"new","#
            + #""max_msgs_per_subject":1,"num_replicas":\#(replicas),"allow_direct":true,"allow_rollup_hdrs":true,"#
            + #""deny_delete":true}"#
    }

    private func ask(
        _ api: String,
        _ question: String,
        _ operation: String,
        within timeout: Duration
    ) async throws -> NATSMessage {
        do {
            return try await connection.request(question, to: "$JS.API.\(api)", timeout: timeout)
        } catch let failure as NATSError {
            // Nobody listens for requests to JetStream, or to this stream.
            throw error(failure.reason == .noResponders ? .noStream : failure.reason, operation)
        }
    }

    private func error(_ reason: NATSError.Reason, _ operation: String) -> NATSError {
        connection.core.error(reason, "\(operation) the bucket \"\(name)\"")
    }

    func error(_ flaw: String) -> NATSJobError {
        NATSJobError(bucket: name, server: connection.place, flaw: flaw)
    }
}

/// A bucket of jobs, or what it has under a key, cannot be used.
public struct NATSJobError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bucket's name.
    public let bucket: String
    /// The servers, without user and password.
    public let server: String
    /// What is wrong with the bucket or with a value in it, for a person.
    public let flaw: String

    public var description: String { "the bucket \"\(bucket)\" (\(server)): \(flaw)" }
}
