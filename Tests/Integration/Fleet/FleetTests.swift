import Glibc
import TestSupport
import Testing

/// Runs the real example daemons, as processes of their own.
@Suite("The example of three daemons on one bus")
struct FleetTests {
    enum Form: CaseIterable {
        case unix
        case nats
    }

    /// Where the daemons are linked.
    private struct Place {
        let folder: TapFolder
        let server: TestNATSServer?

        init(_ form: Form) async throws {
            folder = TapFolder()
            server = form == .nats ? try await TestNATSServer.start() : nil
        }

        func start(_ name: String, _ arguments: [String] = [], serves: Bool = false) throws -> Probe {
            var address = "unix:\(folder.socket)\(serves ? "?serve" : "")"
            if let server { address = "\(server.url)/fleet" }
            let probe = try Probe(Probe.folder + "/" + name, arguments, environment: ["FLEET_BUS": address])
            try Deadline.wait("\(name) to connect; it said \(probe.said)") { probe.said.contains("connected to") }
            return probe
        }
    }

    private func waitForAlarm(of guarding: Probe, at pager: Probe) throws {
        let name = "raised by fleet-guard[\(guarding.pid)]"
        try Deadline.wait("an alarm \(name)") { pager.said.contains(name) }
    }

    @Test(
        "A daemon that is killed is missed by nobody, and one that takes its place is heard",
        arguments: Form.allCases
    )
    func killed(_ form: Form) async throws {
        let place = try await Place(form)
        var pager = try place.start("fleet-pager", serves: true)
        var guarding = try place.start("fleet-guard")
        let sensor = try place.start("fleet-sensor", ["kitchen", "5"])
        try waitForAlarm(of: guarding, at: pager)
        kill(guarding.pid, SIGKILL)
        try guarding.end()
        guarding = try place.start("fleet-guard")
        try waitForAlarm(of: guarding, at: pager)
        // The one that serves the socket, if there is one.
        kill(pager.pid, SIGKILL)
        try pager.end()
        pager = try place.start("fleet-pager", serves: true)
        try waitForAlarm(of: guarding, at: pager)
        for daemon in [sensor, guarding, pager] {
            kill(daemon.pid, SIGTERM)
            #expect(try daemon.end() == 0)
        }
        #expect(!pager.said.contains("left out") && !pager.said.contains("missing"))
    }

    @Test("A wrong address is one clear line")
    func wrongAddress() throws {
        let probe = try Probe(Probe.folder + "/fleet-pager", [], environment: ["FLEET_BUS": "unix:bus"])
        #expect(try probe.end() == 1)
        let lines = probe.said.split(separator: "\n")
        #expect(
            lines.count == 1 && lines[0].hasPrefix("fleet-pager: cannot use \"unix:bus\" as the address of a bus: ")
        )
    }
}
