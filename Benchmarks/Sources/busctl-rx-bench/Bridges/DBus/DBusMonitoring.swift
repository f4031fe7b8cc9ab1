import Glibc

extension Benchmark {
    /// Messages on a bus, one in ten of which a filter chooses: processor time of whoever listens, beside what one would use instead.
    static let dbus = Benchmark(name: "dbus") { settings, report in
        try settings.requireCommand()
        let count = settings.isQuick ? 5_000 : 40_000
        let contenders = [DBusListener.ours(settings), .signalsAlone(settings), .busctl]
        var samples = contenders.map { _ in [Double]() }
        for round in 0...settings.slowProcessRounds {
            for (index, listener) in contenders.enumerated() {
                let bus = try PrivateBus(settings)
                let usage = try bus.measure(listener, settings, messages: count)
                if round > 0 { samples[index].append(usage.cpuSeconds / Double(count) * 1e6) }
            }
        }
        let series = zip(contenders, samples).map { Series(name: $0.name, samples: $1) }
        report.add(
            Standing(
                name: "a message on D-Bus, monitored and filtered: user + system",
                unit: "µs",
                ours: series[0],
                instead: [series[2]]
            ),
            bounds: [
                Bound(
                    name: "monitoring a bus",
                    limit: .timesFaster(than: DBusListener.busctl.name, atLeast: 5),
                    isEnforced: !settings.isQuick
                )
            ]
        )
        report.note("Messages on D-Bus, signals alone, without --monitor: \(series[1].median.figure) µs each")
    }
}

/// A program that listens to a bus, and writes a line for each message with the member `Chosen`.
struct DBusListener {
    let name: String
    /// For a shell, with the bus's address in `$1`.
    let script: String

    static func ours(_ settings: Settings) -> DBusListener {
        tail(settings, name: "busctl-rx", "--monitor")
    }

    static func signalsAlone(_ settings: Settings) -> DBusListener {
        tail(settings, name: "busctl-rx, signals alone", "")
    }

    private static func tail(_ settings: Settings, name: String, _ option: String) -> DBusListener {
        let script =
            "'\(settings.command)' tail --no-config --from \"dbus:$1\" \(option) -o json 'member == \"Chosen\"' 2>/dev/null || true"
        return DBusListener(name: name, script: script)
    }

    static let busctl = DBusListener(
        name: "busctl monitor | jq",
        script: """
            busctl --address="$1" monitor --json=short 2>/dev/null | jq --unbuffered -c 'select(.member == "Chosen")' || true
            """
    )
}
