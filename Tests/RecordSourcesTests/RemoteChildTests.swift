import Bus
import ProcessBridge
import SystemPackage
import Testing

@testable import RecordSources

@Suite("A child on another machine")
struct RemoteChildTests {
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
