import JSONScan

/// The settings of a bucket's stream, as the server describes it.
struct NATSBucketSettings {
    private var values: [String: String] = [:]
    private var subjects: [String] = []

    /// - Parameter payload: the answer to STREAM.INFO.
    init(_ payload: [UInt8]) {
        payload.withUnsafeBytes { bytes in
            var members = JSONMembers(bytes)
            while let member = members.next() {
                if member.isNamed("config") { read(member.value) }
            }
        }
    }

    private mutating func read(_ config: UnsafeRawBufferPointer) {
        var members = JSONMembers(config)
        while let member = members.next() {
            if member.isNamed("subjects") {
                // The server escapes > in texts. More than one is one too many.
                while subjects.count < 3, let subject = JSONMembers.element(subjects.count, of: member.value) {
                    subjects.append(JetStreamAnswer.string(subject) ?? "?")
                }
            }
            values[JetStreamAnswer.text(member.name)] = JetStreamAnswer.text(member.value)
        }
    }

    /// Why what is written to it may be lost, if so.
    func flaw(subject: String) -> String? {
        if subjects != [subject] {
            return "its stream has the subjects \(subjects.joined(separator: ", ")) and not \(subject) alone"
        }
        let versions = values["max_msgs_per_subject"].flatMap { Int($0) } ?? -1
        let rules: [(isMet: Bool, flaw: String)] = [
            (values["storage"] == #""file""#, "it is in memory, and a restart of the server would empty it (storage)"),
            (values["retention"] == #""limits""#, "it removes what was read (retention)"),
            (values["max_age", default: "0"] == "0", "it removes keys after a time (max_age, the bucket's TTL)"),
            (values["discard"] == #""new""#, "when it is full, it removes other keys (discard)"),
            ((1...64).contains(versions), "it keeps \(versions) versions of a key, and 1 to 64 are allowed"),
            (values["no_ack", default: "false"] == "false", "it does not acknowledge what is written (no_ack)"),
            (values["mirror"] == nil && values["sources"] == nil, "it is a copy of another stream (mirror, sources)"),
            (values["sealed", default: "false"] == "false", "it is sealed"),
        ]
        return rules.first { !$0.isMet }?.flaw
    }
}
