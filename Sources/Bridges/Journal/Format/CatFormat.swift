/// The bare message, as `journalctl -o cat` prints it. An entry without one prints nothing.
enum CatFormat {
    static func format(_ entry: EntryView, into output: inout OutputBuffer) {
        guard let message = entry.value(named: "MESSAGE") else { return }
        output.append(message)
        output.append("\n")
    }
}
