import Bus
import BusTesting
import Glibc
import TestSupport
import Testing
import Timers

@testable import TapBridge

@Suite("The tap's information about its program")
struct TapInspectTests {
    private static let inspect = "org.busctl-rx.Tap.Inspect"

    @Test("numbers that a program cannot have make its answer invalid", arguments: [-1, .max])
    func numbers(_ number: Int) {
        func answer(_ posted: Int) -> [UInt8] {
            let topic =
                #"{"name":"a","type":"Int","posted":\#(posted),"subscribers":1,"pattern_subscribers":1,"kept":0,"lost":0}"#
            let head = #"{"product":"p","version":"1","pid":1,"uptime":1,"now":1,"timers":0,"subscription_count":0"#
            // A grant may have any number.
            let job = #"{"name":"j","running":0,"waiting":0,"missed":0,"lease":"held","grant":\#(Int.max)}"#
            let lists = #""subscribers":[],"subscriptions":[],"watches":[],"jobs":[\#(job)]"#
            return Array((head + #","unheard_losses":0,"topics":[\#(topic)],"# + lists + "}").utf8)
        }
        #expect(throws: Never.self) { try TapInspection(answer(Int.max / 2)) }
        #expect(throws: JSONArguments.WrongType.self) { try TapInspection(answer(number)) }
    }

    @Test("It describes the program, and lists its subscriptions")
    func program() throws {
        var options = TapOptions()
        options.product = "test"
        options.version = "1.2"
        let before = MonotonicTime.nanoseconds
        let served = try Served(options)
        let subscription = served.bus.signal(for: .started).subscribe(next: { _ in })
        defer { subscription.dispose() }
        let reply = try #require(served.client().ask(Self.inspect))
        #expect(reply.text("product") == "test" && reply.text("version") == "1.2")
        #expect(reply.number("pid") == Int(getpid()))
        let now = try #require(reply.number("now"))
        #expect(now >= before && now <= MonotonicTime.nanoseconds)
        #expect((0...now - Int(before)).contains(reply.number("uptime") ?? -1))
        #expect(reply.number("timers") ?? -1 >= 0)
        #expect(reply.number("subscription_count") ?? 0 > 0)
        #expect(reply.number("unheard_losses") ?? -1 >= 0)
        #expect(reply.list("topics").compactMap { $0["name"] as? String } == ["deploy.started"])
        let files = reply.list("subscriptions").compactMap { $0["file"] as? String }
        #expect(
            files.contains { $0.hasSuffix("TapInspectTests.swift") }
                || reply.parameters["subscriptions_more"] as? Bool == true
        )
        for name in ["topics_more", "subscribers_more", "watches_more"] {
            #expect(reply.parameters[name] as? Bool == false, "\(name)")
        }
        #expect(reply.list("watches").isEmpty)
    }

    @Test("It shows which subscribers are slow, and who watches")
    func subscribers() throws {
        let served = try Served()
        let fast = Recorder(served.bus.signal(for: .started))
        let child = served.bus.child(named: "web")
        let slow = PausingRecorder(child.signal(for: .started, limit: 2), after: 0)
        let worst = PausingRecorder(served.bus.signal(for: .started, limit: 2), after: 0)
        let line = #line - 1
        // A subscriber that pauses for ever keeps its source.
        defer {
            slow.dispose()
            worst.dispose()
        }
        let watcher = try served.client()
        watcher.watch(#"{"pattern":"deploy.>"}"#)
        waitUntil { served.watches == 1 }
        for version in 1...6 { served.bus.post(Deployment(service: "web", version: version), to: .started) }
        for _ in 1...6 { #expect(watcher.receive()?.kind == "event") }
        let reply = try #require(served.client().ask(Self.inspect))
        let first = try #require(reply.list("subscribers").first)
        #expect(first["topic"] as? String == "deploy.started" && first["scope"] as? String == "")
        #expect(first["file"] as? String == #fileID && first["line"] as? Int == line)
        #expect(first["waiting"] as? Int == 2 && first["limit"] as? Int == 2 && first["high_water"] as? Int == 2)
        #expect(first["lost"] as? Int == 4 && first["delivered"] as? Int == 0)
        #expect(first["paused"] as? Int ?? -1 >= 0 && first["lag"] as? Int ?? -1 >= 0)
        let others = reply.list("subscribers").dropFirst()
        #expect(others.count == 3)
        #expect(others.allSatisfy { $0["lost"] as? Int == 0 })
        #expect(others.contains { $0["topic"] as? String == "deploy.>" && $0["delivered"] as? Int == 6 })
        let watch = try #require(reply.list("watches").first)
        #expect(watch["pid"] as? Int == Int(getpid()) && watch["uid"] as? Int == Int(geteuid()))
        #expect(watch["pattern"] as? String == "deploy.>")
        #expect(watch["sent"] as? Int == 6 && watch["lost"] as? Int == 0 && watch["waiting"] as? Int != nil)
        withExtendedLifetime((child, fast)) {}
    }

    @Test("It lists the program's jobs, and the client reads them")
    func jobs() async throws {
        let folder = TapFolder()
        let name = "tap \"jobs\" \(UInt64.random(in: 0 ... .max))"
        let store = FileJobStore(in: folder.path)
        let job = Signals.job(name, at: try CalendarSchedule("2199-12-31 12:00 UTC"), store: store) { _ in }
            .subscribe(next: { _ in })
        let shots = OneShots("\(name) once", store: store).job { _ in }.subscribe(next: { _ in }
        )
        defer {
            job.dispose()
            shots.dispose()
        }
        // The store has answered.
        await until { JobStatus.first(1000).jobs.contains { $0.name == name && $0.next != nil } }
        let served = try Served()
        let reply = try #require(served.client().ask(Self.inspect))
        let object = try #require(reply.list("jobs").first { $0["name"] as? String == name })
        #expect(object["schedule"] as? String == "2199-12-31 12:00:00 UTC")
        #expect(object["next"] as? Int == 7_258_075_200_000_000_000)
        for count in ["running", "waiting", "missed"] { #expect(object[count] as? Int == 0, "\(count)") }
        for missing in ["last", "last_time", "lease", "grant", "holder", "fault"] {
            #expect(object[missing] == nil, "\(missing)")
        }
        #expect(reply.parameters["jobs_more"] as? Bool == false)

        let inspected = Recorder(TapClient(path: served.folder.socket).inspection())
        await until { !inspected.values.isEmpty }
        let jobs = inspected.values.flatMap(\.jobs)
        let read = try #require(jobs.first { $0.name == name })
        #expect(read.schedule == "2199-12-31 12:00:00 UTC" && read.next?.nanoseconds == 7_258_075_200_000_000_000)
        #expect(read.running == 0 && read.last == nil && read.lease == nil && read.grant == nil && read.fault == nil)
        #expect(jobs.contains { $0.name == "\(name) once" && $0.schedule == nil && $0.next == nil })
    }

    @Test("It tells who holds the lease that a job wants")
    func leaseHolder() async throws {
        let folder = TapFolder()
        let name = "tap lease \(UInt64.random(in: 0 ... .max))"
        let other = FileJobLease(in: folder.path)
        let grant = try #require(try await other.acquire(name))
        let job = Signals.job(
            name,
            at: try CalendarSchedule("2199-12-31 12:00 UTC"),
            store: FileJobStore(in: folder.path),
            lease: FileJobLease(in: folder.path)
        ) { _ in }
        .subscribe(next: { _ in })
        defer { job.dispose() }
        await until { JobStatus.first(1000).jobs.contains { $0.name == name && $0.holder != nil } }
        let served = try Served()
        let reply = try #require(served.client().ask(Self.inspect))
        let object = try #require(reply.list("jobs").first { $0["name"] as? String == name })
        #expect(object["lease"] as? String == "wanted" && object["holder"] as? String == JobGrant.holderName)
        let inspected = Recorder(TapClient(path: served.folder.socket).inspection())
        await until { !inspected.values.isEmpty }
        #expect(inspected.values.flatMap(\.jobs).first { $0.name == name }?.holder == JobGrant.holderName)
        await other.release(grant, of: name)
    }

    @Test("A long list is cut off where it matters least")
    func manySubscribers() throws {
        let served = try Served()
        let many = (0..<3000).map { _ in Recorder(served.bus.signal(for: .started)) }
        let slow = PausingRecorder(served.bus.signal(for: .started, limit: 1), after: 0)
        defer { slow.dispose() }
        for version in 1...3 { served.bus.post(Deployment(service: "web", version: version), to: .started) }
        let reply = try #require(served.client().ask(Self.inspect))
        #expect(reply.parameters["subscribers_more"] as? Bool == true)
        #expect(reply.list("subscribers").count < 3001)
        #expect(reply.list("subscribers").first?["lost"] as? Int == 2)
        withExtendedLifetime(many) {}
    }
}
