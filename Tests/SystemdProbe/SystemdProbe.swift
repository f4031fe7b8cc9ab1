import Bus
import Glibc
import SystemdBridge
import Timers

/// A process for tests to look at, which does one thing and says on standard output what came of it.
@main
enum SystemdProbe {
    static func main() {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "activation": Activation.run()
        case "exhaustion": Exhaustion.run(notify: arguments[2], journal: arguments[3])
        case "leftovers": Leftovers.run(notify: arguments[2], journal: arguments[3], count: Int(arguments[4]) ?? 0)
        default: print("unknown")
        }
    }
}
