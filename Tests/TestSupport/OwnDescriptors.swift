import Bus
import CLinux
import Dispatch

/// Gives the calling thread, and those that it starts from now on, a table of descriptors of their own, which may run out.
///
/// Dispatch ends the process where it needs a descriptor and gets none, as it does when it starts and once a second after
/// that, to look after its threads. Theirs are in the table from before.
package func useOwnDescriptors() {
    let fired = Latch()
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { fired.open() }
    timer.schedule(deadline: .now())
    timer.activate()
    fired.wait()
    timer.cancel()
    precondition(clinux_unshare_descriptors() == 0, "no table of descriptors")
}
