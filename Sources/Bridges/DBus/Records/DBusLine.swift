import Records

/// A message in one line, for a person. Its sender is not in it.
struct DBusLine {
    private let message: DBusMessage

    init(_ message: DBusMessage) {
        self.message = message
    }

    var text: [UInt8] {
        var output = OutputBuffer(capacity: 256)
        switch message.kind {
        case .signal:
            appendPlace(to: &output)
            appendArguments(to: &output)
            if let destination = message.destination { output.append(text: " for \(destination)") }
        case .methodCall:
            output.append(text: "calls \(message.destination.map { "\($0) " } ?? "")")
            appendPlace(to: &output)
            appendArguments(to: &output)
        case .methodReturn:
            appendCall(to: &output)
            output.append(": ")
            appendArguments(to: &output)
        case .error:
            appendCall(to: &output)
            output.append(text: " with \(message.errorName ?? "an error")")
            if let text = message.text { output.append(text: ": \(text)") }
        }
        return output.withBytes { Array($0) }
    }

    /// The object, and its interface and member.
    private func appendPlace(to output: inout OutputBuffer) {
        if let path = message.path { output.append(text: "\(path) ") }
        if let interface = message.interface { output.append(text: "\(interface).") }
        output.append(text: message.member ?? "")
    }

    /// The call that is answered.
    private func appendCall(to output: inout OutputBuffer) {
        output.append("answers")
        if let destination = message.destination { output.append(text: " \(destination)") }
        if let cookie = message.replyCookie { output.append(text: " #\(cookie)") }
    }

    private func appendArguments(to output: inout OutputBuffer) {
        output.append("(")
        for (index, value) in message.arguments.enumerated() {
            if index > 0 { output.append(", ") }
            DBusJSON.append(value, .plain, to: &output)
        }
        output.append(")")
    }
}
