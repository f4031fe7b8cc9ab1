import Glibc
import TestSupport
import Testing

@Suite("The time limit of a run")
struct RunLimitTests {
    @Test("a wait that the end of the run cuts off is an issue, and no pass")
    func overrun() async {
        await #expect(processExitsWith: .success) {
            setenv("BUSCTL_RX_RUN_ENDS", "1", 1)
            // It is an issue if there is none.
            await withKnownIssue {
                await until { false }
            } matching: {
                "\($0)".contains("the run is over")
            }
            withKnownIssue {
                waitUntil { false }
            } matching: {
                "\($0)".contains("the run is over")
            }
        }
    }

    @Test("a wait for what has happened records nothing, even then")
    func inTime() async {
        await #expect(processExitsWith: .success) {
            setenv("BUSCTL_RX_RUN_ENDS", "1", 1)
            await until { true }
            waitUntil { true }
        }
    }
}
