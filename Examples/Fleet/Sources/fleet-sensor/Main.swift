import Bus
import Fleet
import Foundation
import LinkBridge
import Timers

/// Posts a measurement five times a second: between 15 and 35 degrees, up and down.
@main
enum Main {
    static func main() async {
        let name = CommandLine.arguments.dropFirst().first ?? "kitchen"
        await Daemon.run([Topic.measurementTaken.shared(.sent)]) { bus, _ in
            Signals.interval(every: .milliseconds(200)).subscribe(next: { tick in
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
