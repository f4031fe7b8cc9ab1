import Bus
import NATSBridge
import TestSupport
import Testing
@testable import Timers

@Suite("Records of jobs in a real nats-server")
struct NATSJobStoreTests {
    private func record(_ revision: UInt64) -> JobRecord {
        var record = JobRecord(
            done: TimerInstant(nanoseconds: 1_772_409_600_000_000_000),
            at: TimerInstant(nanoseconds: 0)
        )
        record.revision = revision
        record.number = revision * 10
        return record
    }

    @Test("A record is read as it was written, by another program and after a crash of the server, too")
    func roundTrip() async throws {
        let scene = try await JobScene()
        let store = NATSJobStore(in: scene.bucket())
        #expect(try await store.load("nightly") == nil)
        #expect(try await store.save(record(1), of: "nightly"))
        #expect(try await store.save(record(2), of: "nightly"))
        #expect(try await NATSJobStore(in: scene.bucket()).load("nightly") == record(2))
        #expect(try await NATSJobStore(in: scene.bucket("others")).load("nightly") == nil)
        #expect(try await scene.value("job.nightly") == record(2).text)
        await scene.server.stop()
        try await scene.server.restart()
        #expect(try await JobScene.answer { try await store.load("nightly") } == record(2))
    }

    @Test("A record is taken only in place of the one before, and the same one twice")
    func conflicts() async throws {
        let scene = try await JobScene()
        let store = NATSJobStore(in: scene.bucket())
        #expect(try await !store.save(record(2), of: "job"))
        #expect(try await store.save(record(1), of: "job"))
        #expect(try await store.save(record(1), of: "job"), "an answer was lost")
        var other = record(1)
        other.number = 5
        #expect(try await !store.save(other, of: "job"))
        #expect(try await !store.save(record(3), of: "job"))
        #expect(try await store.load("job") == record(1))
    }

    @Test("Of several that write at once, one is taken")
    func racing() async throws {
        let scene = try await JobScene()
        let stores = (0..<3).map { _ in NATSJobStore(in: scene.bucket()) }
        for revision in 1...UInt64(Stress.rounds(20, stress: 500)) {
            let records = (0..<3).map { index in
                var record = record(revision)
                record.number += UInt64(index)
                return record
            }
            let taken = try await withThrowingTaskGroup(of: JobRecord?.self) { group in
                for (store, record) in zip(stores, records) {
                    group.addTask { try await store.save(record, of: "job") ? record : nil }
                }
                return try await group.reduce(into: [JobRecord]()) { taken, record in record.map { taken.append($0) } }
            }
            #expect(taken.count == 1)
            #expect(try await stores[0].load("job") == taken.first)
        }
    }

    @Test(
        "A value that is not a record is reported once, set aside, and stops nothing",
        arguments: ["job 1\n", "\u{1}"]
    )
    func damaged(_ text: String) async throws {
        let scene = try await JobScene()
        let store = NATSJobStore(in: scene.bucket())
        #expect(try await store.save(record(1), of: "job"))
        try await scene.put(text, "job.job")
        let error = await #expect(throws: NATSJobError.self) { try await store.load("job") }
        #expect(error?.description.contains("under the key job.job is damaged: line ") == true, "\(error as Any)")
        #expect(error?.description.hasSuffix("; it is now under damaged.job") == true)
        #expect(try await scene.value("damaged.job") == text)
        #expect(try await store.load("job") == nil)
        #expect(try await store.save(record(1), of: "job"))
        #expect(try await store.load("job") == record(1))
    }

    @Test("Records are asked of the stream's leader, also when no other server may be asked, and long ones, too")
    func leader() async throws {
        let scene = try await JobScene()
        try await scene.makeBucket(["allow_direct": "false"])
        let store = NATSJobStore(in: scene.bucket())
        var long = record(1)
        long.entries = (0..<1000).map { number in
            let id = String(repeating: "i", count: 200) + "\(number)"
            return JobRecord.Entry(id: id, time: TimerInstant(nanoseconds: 1_772_409_600_000_000_000))
        }
        let record = long
        #expect(try await store.load("job") == nil)
        #expect(try await store.save(record, of: "job"))
        #expect(try await store.load("job") == record)
    }

    @Test("Bytes that are not text are set aside as they are")
    func notText() async throws {
        let scene = try await JobScene()
        let store = NATSJobStore(in: scene.bucket())
        #expect(try await store.load("job") == nil)
        let bytes: [UInt8] = [0xFF, 0, 0x80]
        _ = try await scene.nats.publishAcknowledged(NATSMessage(subject: "$KV.jobs.job.job", payload: bytes))
        let error = await #expect(throws: NATSJobError.self) { try await store.load("job") }
        #expect(error?.description.contains("is damaged: not text in UTF-8; it is now") == true)
        let aside = try await scene.nats.request(
            #"{"last_by_subj":"$KV.jobs.damaged.job"}"#,
            to: "$JS.API.DIRECT.GET.KV_jobs"
        )
        #expect(aside.payload == bytes)
    }

    @Test("A record that is larger than the server takes is not taken, and the error says so")
    func tooLarge() async throws {
        let scene = try await JobScene(JobScene.configuration + "\nmax_payload: 1000")
        let store = NATSJobStore(in: scene.bucket())
        var large = record(1)
        large.entries = (0..<50).map { JobRecord.Entry(time: TimerInstant(nanoseconds: $0 * 1_000_000_000)) }
        let record = large
        let error = await #expect(throws: NATSError.self) { try await store.save(record, of: "job") }
        guard case .tooLarge? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await store.load("job") == nil)
    }
}
