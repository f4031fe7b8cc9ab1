import Bus
import Fleet
import Foundation
import LinkBridge
import Timers

/// Posts measurements between 15 and 35 degrees, up and down. Its arguments are the sensor's name and the milliseconds between
/// two measurements.
@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments
        let name = arguments.count > 1 ? arguments[1] : "kitchen"
        let pause = arguments.count > 2 ? Int(arguments[2]) ?? 200 : 200
        await Daemon.run([Topic.measurementTaken.shared(.sent)]) { bus, _ in
            Signals.interval(every: .milliseconds(max(1, pause))).subscribe(next: { tick in
                let number = Int(tick.index) + 1
                let celsius = 25 + 10 * sin(Double(number) / 5)
                bus.post(
                    Measurement(sensor: name, number: number, celsius: (celsius * 10).rounded() / 10),
                    to: .measurementTaken
                )
            })
        }
    }
}
