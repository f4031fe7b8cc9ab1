import Bus
import Glibc
import SystemdBridge
import Timers

/// A process for tests to observe. It does one thing and prints the result on standard output.
@main
enum SystemdProbe {
    static func main() {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "activation": Activation.run()
        case "credentials": Secrets.run(names: arguments.dropFirst(2))
        case "exhaustion": Exhaustion.run(notify: arguments[2], journal: arguments[3])
        case "leftovers": Leftovers.run(notify: arguments[2], journal: arguments[3], count: Int(arguments[4]) ?? 0)
        case "status": Status.run(arguments[2])
        default: print("unknown")
        }
    }
}
