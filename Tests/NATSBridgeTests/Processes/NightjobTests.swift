import Bus
import Foundation
import NATSBridge
import TestSupport
import Testing
@testable import Timers

/// Runs the real example, three of it, over a real server. All of them are killed and stopped at random.
@Suite("Three processes that have one job")
struct NightjobTests {
    enum Place {
        case file
        case nats
    }

    private var timeToLive: Duration { Stress.isAsked ? .seconds(2) : .seconds(1) }
    /// Longer than the time to live.
    private var pause: Duration { Stress.isAsked ? .seconds(5) : .seconds(2) }

    @Test(
        "Every time runs as the policy says, never two runs with one number, and file and record agree",
        arguments: [(Place.nats, true), (.nats, false), (.file, true)]
    )
    func killed(_ place: Place, repeats: Bool) async throws {
        let scene = place == .nats ? try await JobScene() : nil
        let jobs = try Nightjob(
            at: scene.map { "\($0.server.url)/jobs" },
            repeats: repeats,
            timeToLive: timeToLive
        )
        let store: any JobStore = scene.map { NATSJobStore(in: $0.bucket()) } ?? FileJobStore(in: jobs.folder)
        let records = Heard<JobRecord>()
        let watching = try await scene?.watchRecords(of: "night", records)
        defer { watching?.dispose() }
        try jobs.start()
        try await wait(for: "a run") { jobs.outcomes.contains("end") }
        var random = SystemRandomNumberGenerator()
        var kills = 0
        for _ in 0..<Stress.rounds(5, stress: 200) {
            let index = Int.random(in: 0..<Nightjob.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                await jobs.crash(index)
                kills += 1
            case 4..<7: jobs.stop(index, until: .now + pause)
            case 7: #expect(await jobs.end(index) == 0)
            case 8:
                await scene?.server.stop()
                try await spend(.milliseconds(Int.random(in: 0..<1500, using: &random)))
                try await scene?.server.restart()
            default:
                await scene?.server.suspend()
                try await spend(pause)
                scene?.server.resume()
            }
            try await spend(.milliseconds(Int.random(in: 0..<1500, using: &random)))
            jobs.resume(at: .now)
            try jobs.start()
        }
        jobs.resume(at: .now + pause)
        let last = SystemClock.wall.now.nanoseconds / 1_000_000_000
        try await wait(for: "all that is due; they said\n\(jobs.said.suffix(1000))") {
            guard let record = try? await store.load("night"), record.done.nanoseconds / 1_000_000_000 >= last else {
                return false
            }
            return record.entries.allSatisfy { $0.time.nanoseconds / 1_000_000_000 > last }
        }
        for index in 0..<Nightjob.count { #expect(await jobs.end(index) == 0) }
        let record = try #require(try await store.load("night"))
        if scene != nil { await until { records.values.last == record } }
        let given = records.values.compactMap { record in
            record.last.flatMap { $0.end == .succeeded ? nil : $0.entry.time.nanoseconds / 1_000_000_000 }
        }
        let outcomes = Outcomes(jobs.outcomes)
        let findings = outcomes.findings(record, through: last, given: repeats ? nil : Set(given))
        #expect(findings == [], "\(record.text)")
        if Stress.isAsked {
            let late = outcomes.lines.count - outcomes.accepted.count
            let attempts = outcomes.lines.map(\.attempt).max() ?? 0
            print(
                "\(place), repeats \(repeats): \(outcomes.lines.count) lines, \(late) late, \(attempts) attempts, \(kills) kills"
            )
        }
    }

    @Test("One that is asked to end while it connects does not crash")
    func endedAtTheStart() async throws {
        let scene = try await JobScene()
        let jobs = try Nightjob(at: "\(scene.server.url)/jobs", repeats: true, timeToLive: .seconds(1))
        for _ in 0..<Stress.rounds(20, stress: 1000) {
            try jobs.start(0..<1)
            try await spend(.milliseconds(Int.random(in: 0..<40)))
            // Before it takes the signal, the signal ends it.
            let status = await jobs.end(0)
            #expect(status == 0 || status == -SIGTERM)
        }
    }

    @Test("A holder that is stopped for longer than the time to live loses its run to another, and is late then")
    func stopped() async throws {
        let scene = try await JobScene()
        let jobs = try Nightjob(at: "\(scene.server.url)/jobs", repeats: true, timeToLive: .seconds(1))
        try jobs.start(0..<1)
        // In the middle of a run.
        var stopped: Outcomes.Line?
        while stopped == nil, !RunLimit.isOver {
            try await wait(for: "a run") { Outcomes(jobs.outcomes).lines.last?.isEnd == false }
            await jobs.stop(0)
            stopped = Outcomes(jobs.outcomes).lines.last.flatMap { $0.isEnd ? nil : $0 }
            if stopped == nil { jobs.resume(at: .now + .seconds(7200)) }
        }
        let run = try #require(stopped)
        try jobs.start(1..<2)
        try await wait(for: "another attempt; they said\n\(jobs.said)") {
            Outcomes(jobs.outcomes).lines.contains { $0.time == run.time && $0.attempt > run.attempt && $0.isEnd }
        }
        jobs.resume(at: .now + .seconds(7200))
        try await wait(for: "the loss") { jobs.said.contains("night: the lease is lost") }
        for index in 0..<2 { #expect(await jobs.end(index) == 0) }
        let outcomes = Outcomes(jobs.outcomes)
        #expect(outcomes.accepted.filter { $0.number == run.number } == [run])
        #expect(outcomes.accepted.contains { $0.time == run.time && $0.number > run.number && $0.isEnd })
    }

    /// Lets time pass: what happens meanwhile is random.
    private func spend(_ time: Duration) async throws { try await Task.sleep(for: time) }

    private func wait(for what: @autoclosure () -> String, _ condition: () async -> Bool) async throws {
        while await !condition() {
            guard !RunLimit.isOver else {
                Issue.record("the run is over, and this has not come: \(what())")
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
