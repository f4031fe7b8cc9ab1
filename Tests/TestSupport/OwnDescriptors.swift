import Bus
import CLinux
import Dispatch

/// Gives the calling thread, and those that it starts from now on, a separate table of descriptors, which may run out.
///
/// Dispatch ends the process if it needs a descriptor and gets none. It needs one when it starts, and once a second
/// after that to check its threads. Its threads use the old table.
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
