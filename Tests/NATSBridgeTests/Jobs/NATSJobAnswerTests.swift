import NATSBridge
import TestSupport
import Testing
import Timers

@Suite("Leases of jobs whose server's answers get lost")
struct NATSJobAnswerTests {
    private static let timeToLive = Duration.seconds(3)

    private func start() async throws -> (bucket: ScriptedBucket, a: NATSJobLease, b: NATSJobLease) {
        let bucket = try await ScriptedBucket()
        let leases = (0..<2).map { _ in bucket.scene.lease(timeToLive: Self.timeToLive) }
        return (bucket, leases[0], leases[1])
    }

    @Test("An instance that did not hear of its grant need not wait for it, and others must")
    func lostGrant() async throws {
        let (bucket, a, b) = try await start()
        defer { bucket.end() }
        bucket.answerWrites(.lost)
        let error = await #expect(throws: NATSError.self) { try await a.acquire("job") }
        #expect(error?.reason == .timedOut)
        bucket.answerWrites(.right)
        #expect(try await JobScene.answer { try await b.acquire("job") } == nil)
        let grant = try #require(try await JobScene.answer { try await a.acquire("job") })
        #expect(try await JobScene.answer { try await a.renew(grant, of: "job") })
        #expect(try await JobScene.answer { try await a.acquire("job") } == nil)
    }

    @Test("A renewal that is not answered is the holder's, whether the server has it or not")
    func lostRenewal() async throws {
        let (bucket, a, b) = try await start()
        defer { bucket.end() }
        let grant = try #require(try await JobScene.answer { try await a.acquire("job") })
        for answer in [ScriptedBucket.Answer.lost, .dropped, .nonsense] {
            bucket.answerWrites(answer)
            await #expect(throws: NATSError.self) { try await a.renew(grant, of: "job") }
            bucket.answerWrites(.right)
            #expect(try await JobScene.answer { try await a.renew(grant, of: "job") })
            #expect(try await JobScene.answer { try await b.acquire("job") } == nil)
        }
    }

    @Test("A lease that could not be given back is kept from others, and not from the instance itself")
    func lostRelease() async throws {
        let (bucket, a, b) = try await start()
        defer { bucket.end() }
        let first = try #require(try await JobScene.answer { try await a.acquire("job") })
        bucket.answerWrites(.dropped)
        await a.release(first, of: "job")
        bucket.answerWrites(.right)
        #expect(try await JobScene.answer { try await b.acquire("job") } == nil)
        let second = try #require(try await JobScene.answer { try await a.acquire("job") })
        #expect(second.number > first.number)
        bucket.answerWrites(.lost)
        await a.release(second, of: "job")
        bucket.answerWrites(.right)
        #expect(try #require(try await JobScene.answer { try await b.acquire("job") }).number > second.number)
    }

    @Test("Answers that are none are errors")
    func nonsense() async throws {
        let (bucket, a, _) = try await start()
        defer { bucket.end() }
        #expect(try await JobScene.answer { try await a.acquire("job") } != nil)
        bucket.answerReads(.nonsense)
        let error = await #expect(throws: NATSJobError.self) { try await a.acquire("job") }
        #expect(error?.description.contains("the answer to a question for the key lease.job is not one") == true)
        let store = NATSJobStore(in: bucket.scene.bucket())
        await #expect(throws: NATSJobError.self) { try await store.load("job") }
    }
}
