import Bus
import Fleet
import LinkBridge

/// Hears the measurements and raises an alarm when one is too high, once until it is low again.
@main
enum Main {
    static func main() async {
        let topics = [Topic.measurementTaken.shared(.heard), Topic.alarmRaised.shared(.sent)]
        await Daemon.run(topics) { bus, _ in
            bus.signal(for: .measurementTaken)
                .groupBy { $0.sensor }
                .flatMap(.merge) { sensor in sensor.removeDuplicates { ($0.celsius > 30) == ($1.celsius > 30) } }
                .filter { $0.celsius > 30 }
                .map { Alarm(text: "\($0.sensor): \($0.celsius) degrees (measurement \($0.number))") }
                .post(to: .alarmRaised, on: bus)
        }
    }
}
