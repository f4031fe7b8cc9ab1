import Bus
import Fleet
import LinkBridge

/// Shows the alarms, who raised them, and when.
@main
enum Main {
    static func main() async {
        await Daemon.run([Topic.alarmRaised.shared(.heard)]) { _, link in
            link.arrivals(on: .alarmRaised).subscribe(next: { alarm in
                Daemon.say("ALARM \(alarm.value.text), raised by \(alarm.sender.name) at \(alarm.origin)")
            })
        }
    }
}
