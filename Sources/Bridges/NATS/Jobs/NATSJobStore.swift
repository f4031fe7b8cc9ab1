public import Timers

/// Keeps each job's record under a key of its own, `job.JOB`, of a ``NATSJobBucket``.
///
/// Each record is written in place of the one that was read before, so what an instance decided before it lost its lease is
/// refused. A value that is not a record is moved to `damaged.JOB`, in place of an earlier one, and reported once; the job
/// goes on without a record. A record that a later version wrote stays, and the job does not run. A record is at most
/// 1 MiB, and not larger than the server takes (`max_payload`).
///
/// Cancelling the task of a call ends its wait with an error; a record that was to be saved may be stored all the same.
public final class NATSJobStore: JobStore {
    private let bucket: NATSJobBucket

    /// How long to wait for each answer of the server.
    private static var timeout: Duration { .seconds(10) }

    /// - Parameter bucket: the same for all instances.
    public init(in bucket: NATSJobBucket) { self.bucket = bucket }

    public func load(_ job: String) async throws -> JobRecord? {
        try await read(NATSJobBucket.key("job", of: job), job)?.record
    }

    public func save(_ record: JobRecord, of job: String) async throws -> Bool {
        let key = NATSJobBucket.key("job", of: job)
        while true {
            let stored = try await read(key, job)
            // The answer to an earlier attempt may have been lost.
            if stored?.record == record { return true }
            guard record.follows(stored?.record) else { return false }
            let written = try await bucket.write(
                Array(record.text.utf8),
                to: key,
                over: stored?.revision ?? 0,
                within: Self.timeout
            )
            if written != nil { return true }
            // Something was written in between.
        }
    }

    private func read(_ key: String, _ job: String) async throws -> (revision: UInt64, record: JobRecord?)? {
        guard let entry = try await bucket.read(key, within: Self.timeout) else { return nil }
        if entry.value.isEmpty { return (entry.revision, nil) }
        let damage: String
        do throws(JobRecordError) {
            if let text = String(validating: entry.value, as: UTF8.self) {
                return (entry.revision, try JobRecord(text: text))
            }
            damage = "not text in UTF-8"
        } catch {
            if error.isOfLaterVersion { throw bucket.error("the job's record under the key \(key): \(error)") }
            damage = error.description
        }
        let aside = NATSJobBucket.key("damaged", of: job)
        _ = try await bucket.write(entry.value, to: aside, over: nil, within: Self.timeout)
        // If the key has changed since, the next reading tells.
        _ = try await bucket.write([], to: key, over: entry.revision, isDeletion: true, within: Self.timeout)
        throw bucket.error("the job's record under the key \(key) is damaged: \(damage); it is now under \(aside)")
    }
}
