/// The kinds of sources that `--from` can name.
enum SourceKind: String, CaseIterable {
    case journal, directory, file, namespace, export, json, logfmt, lines, signals, every, calendar, run, changes, unix,
        dbus, nats, ssh, https, http

    /// The text after the kind and a colon; `nil` where none is allowed.
    var operand: String? {
        switch self {
        case .journal: nil
        case .directory, .changes: "PATH"
        case .file: "PATH"
        case .namespace: "NAME"
        case .export, .json, .logfmt, .lines: "PATH|-"
        case .signals: "NAME,…"
        case .every: "DURATION"
        case .calendar: "EXPR"
        case .run: "COMMAND"
        case .unix: "PATH|NAME"
        case .dbus: "system|session|ADDRESS"
        case .nats: "//HOST:PORT/SUBJECT[?from=…]"
        case .ssh: "[USER@]HOST[:PORT]"
        case .https, .http: "//HOST[:PORT]"
        }
    }

    var example: String {
        switch self {
        case .journal: "journal"
        case .directory: "directory:/var/log/journal"
        case .file: "file:old.journal"
        case .namespace: "namespace:web"
        case .export: "export:-"
        case .json: "json:/var/log/app.json"
        case .logfmt: "logfmt:-"
        case .lines: "lines:/var/log/nginx/error.log"
        case .signals: "signals:HUP,USR1"
        case .every: "every:10s"
        case .calendar: "calendar:'Mon..Fri 09:00'"
        case .run: "run:'ping -c 3 localhost'"
        case .changes: "changes:/etc/nginx"
        case .unix: "unix:/run/deployer.tap"
        case .dbus: "dbus:system"
        case .nats: "'\(NATSArgument.example)'"
        case .ssh: "ssh:web-1"
        case .https: "https://web-1:19531"
        case .http: "http://web-1:19531"
        }
    }

    /// A description for the list of sources.
    var summary: String {
        switch self {
        case .journal: "the journal of this machine"
        case .directory: "the journal files in a directory"
        case .file: "a journal file"
        case .namespace: "the journal of a namespace"
        case .export: "a stream in the journal export format"
        case .json: "a JSON object a line"
        case .logfmt: "name=value pairs, a record a line"
        case .lines: "the lines of a log file, followed through rotation"
        case .signals: "OS signals that are sent to busctl-rx"
        case .every: "a tick each so often"
        case .calendar: "a tick at each of a calendar's times, as systemd.time(7) has them"
        case .run: "a command's two outputs and its end"
        case .changes: "what happens to a file, or to the files in a directory"
        case .unix: "the notification bus of a running program, through its tap"
        case .dbus: "messages on a bus of D-Bus: dbus:system, dbus:session, or its address"
        case .nats: "messages of a NATS server; with ?from= those that a stream of JetStream has stored"
        case .ssh: "the journal of another machine, through ssh"
        case .https: "the journal of another machine, from its systemd-journal-gatewayd, through curl"
        case .http: "the same without encryption"
        }
    }

    /// The name of a source of this kind unless a label is given.
    var name: String {
        switch self {
        case .journal, .directory, .file, .namespace, .export: "journal"
        case .signals: "signal"
        case .every, .calendar: "timer"
        case .run: "child"
        case .changes: "change"
        case .unix: "bus"
        case .json, .logfmt, .lines, .dbus, .nats, .ssh, .https, .http: rawValue
        }
    }

    /// Whether it has entries of a journal.
    var isJournal: Bool {
        switch self {
        case .journal, .directory, .file, .namespace, .export: true
        case .json, .logfmt, .lines, .signals, .every, .calendar, .run, .changes, .unix, .dbus, .nats, .ssh, .https,
            .http:
            false
        }
    }

    /// Whether it is the journal of another machine.
    var isRemote: Bool { self == .ssh || self == .https || self == .http }

    /// Whether it has events only while it is being listened to.
    var isLiveOnly: Bool {
        switch self {
        case .signals, .every, .calendar, .changes, .unix, .dbus, .nats: true
        case .journal, .directory, .file, .namespace, .export, .json, .logfmt, .lines, .run, .ssh, .https, .http: false
        }
    }
}
