import Bus
import ProcessBridge
import SystemPackage
import Testing

@testable import RecordSources

@Suite("A child on another machine")
struct RemoteChildTests {
    @Test("a place that was saved knows the time of its entry, before which nothing is sent again")
    func savedPlace() {
        let id = "0123456789abcdef0123456789abcdef"
        let cursor = "s=\(id);i=1f;b=\(id);m=5;t=60a24c8b1f2c3;x=1"
        #expect(RemotePlace(source: "a", behind: cursor).realtime == 0x60a24c8b1f2c3)
        #expect(RemotePlace(source: "a").realtime == 0)
    }

    @Test("of many remarks the first are kept, and the others are counted")
    func remarks() throws {
        let script = "for n in $(seq 21); do echo busctl-rx: $n >&2; done"
        let child = try RemoteChild(ChildProcess("sh", ["-c", script]), in: SerialDisposable())
        // It waits for some seconds each time.
        while child.reason(orUntilReadable: -1)?.contains("did not end") == true {}
        #expect(child.reason(orUntilReadable: -1) == nil)
        #expect(child.takeRemarks() == (1...16).map { "\($0)" } + ["and 5 more"])
        #expect(child.takeRemarks() == [])
    }
}
