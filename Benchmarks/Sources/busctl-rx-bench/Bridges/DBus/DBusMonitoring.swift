import Glibc

extension Benchmark {
    /// Messages on a bus, one in ten of which a filter selects, compared with the usual tools. The filter selects by
    /// the header, for which the bus can be asked, and by an argument, which has to be read. The floor checks each
    /// message's member.
    static let dbus = Benchmark(name: "dbus") { settings, report in
        try settings.requireCommand()
        let count = settings.isQuick ? 5_000 : 100_000
        let contenders = [
            DBusListener.ours(settings, "member == \"Chosen\""), .ours(settings, "args[1] % 10 == 0"),
            .busctl(".member == \"Chosen\""), .busctl(".payload.data[1] as $n | $n != null and $n % 10 == 0"),
            .floor(settings),
        ]
        var costs = contenders.map { _ in [PrivateBus.Cost]() }
        for round in 0...settings.slowProcessRounds {
            for (index, listener) in contenders.enumerated() {
                let bus = try PrivateBus(settings)
                let cost = try bus.measure(listener, settings, messages: count)
                if round > 0 { costs[index].append(cost) }
            }
        }
        for (clock, cost) in [("wall", \PrivateBus.Cost.wall), ("user + system", \.processor)] {
            // The wall-clock time also depends on how the kernel shares the processors out.
            let isEnforced = !settings.isQuick && (clock != "wall" || !settings.isBesideOtherWork)
            let series = zip(contenders, costs).map { Series(name: $0.name, samples: $1.map { $0[keyPath: cost] }) }
            for (index, what, least) in [(0, "member", 5.0), (1, "argument", 1.2)] {
                let name = "D-Bus, monitored and filtered by \(what): \(clock)"
                report.add(
                    Standing(
                        name: name,
                        unit: "µs",
                        ours: series[index],
                        floor: series[4],
                        instead: [series[index + 2]]
                    ),
                    bounds: [
                        Bound(
                            name: name,
                            limit: .timesFaster(than: series[index + 2].name, atLeast: least),
                            isEnforced: isEnforced
                        )
                    ]
                )
            }
        }
    }
}

/// A program that listens to a bus and writes a line for each message with the member `Chosen`.
struct DBusListener {
    let name: String
    /// For a shell, with the bus's address in `$1`. It writes the id of the process that reads from the bus to the file
    /// in `$2`.
    let script: String

    static func ours(_ settings: Settings, _ filter: String) -> DBusListener {
        let options = "--no-config --from \"dbus:$1\" --monitor -o json '\(filter)'"
        let script = "(echo $BASHPID > \"$2\"; exec '\(settings.command)' tail \(options)) 2> /dev/null || true"
        return DBusListener(name: "busctl-rx", script: script)
    }

    static func busctl(_ filter: String) -> DBusListener {
        DBusListener(
            name: "busctl monitor | jq",
            script: """
                (echo $BASHPID > "$2"; exec busctl --address="$1" monitor --json=short) 2> /dev/null \
                | jq --unbuffered -c 'select(\(filter))' || true
                """
        )
    }

    static func floor(_ settings: Settings) -> DBusListener {
        DBusListener(
            name: "libsystemd in C",
            script: "echo $BASHPID > \"$2\"; exec '\(settings.tools)/dbus-floor' \"$1\" Chosen"
        )
    }
}
