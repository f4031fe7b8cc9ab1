package import Bus
package import FilterBridge
import JournalBridge
import Loop
import ProcessBridge
package import Records
import SystemPackage

/// The journal of another machine: `ssh:[USER@]HOST[:PORT]`, or `https://HOST[:PORT]` of its systemd-journal-gatewayd.
///
/// ssh or curl run as children, with the user's configuration. A connection that is lost is made anew, and goes on behind the last
/// entry. If that entry is gone, a gap says so.
package struct RemoteRecords: RecordSource, OptionedSource {
    package static let spellings = [
        SourceSpelling(
            "ssh",
            operand: "[USER@]HOST[:PORT]",
            example: "ssh:web-1",
            summary: "the journal of another machine, through ssh",
            objection: { objection(toMissing: "ssh", "openssh-client") }
        ),
        SourceSpelling(
            "https",
            operand: "//HOST[:PORT]",
            example: "https://web-1:19531",
            summary: "the journal of another machine, from its systemd-journal-gatewayd, through curl",
            operands: .words(["//"]),
            objection: { objection(toMissing: "curl", "curl") }
        ),
        SourceSpelling(
            "http",
            operand: "//HOST[:PORT]",
            example: "http://web-1:19531",
            summary: "the same without encryption",
            operands: .words(["//"]),
            objection: { objection(toMissing: "curl", "curl") }
        ),
    ]

    package static var options: [SourceOption] {
        [
            .value(
                "--curl-config",
                of: "path",
                operands: .files,
                help:
                    "On https: and http: give curl the options in this file, such as cert, key, cacert and netrc-file.",
                advice: "--curl-config has options for what is read through curl. Give --from https://HOST:19531, too.",
                read: { (path) throws(SourceArgumentError) in path },
                set: { (source: inout Self, path: String) in source.curlConfiguration = path }
            )
        ]
    }

    package let word: String
    let journal: RemoteJournal
    /// The file with further options for curl.
    package var curlConfiguration: String?

    package init(word: String, operand: String) throws(SourceArgumentError) {
        self.word = word
        journal =
            word == "ssh"
            ? .ssh(try SSHAddress(operand: operand))
            : .gateway(try GatewayAddress(scheme: word, operand: operand))
    }

    /// The machine's name.
    package var name: String { journal.host }
    package var fields: RecordKind { .journal }
    package var traits: SourceTraits { [.reversible, .awaitable, .places, .stored] }

    package func check() throws(SourceArgumentError) {
        guard curlConfiguration?.isEmpty != true else {
            throw SourceArgumentError("--curl-config was given an empty name. Write the name of a file.")
        }
    }

    package func question(_ filter: RecordFilter, named name: String) -> String? {
        let matches = MatchArguments(filter.query(of: name))
        if matches.isNothing { return "nothing" }
        let words = journal.isSearchable ? matches.alternatives : matches.matches
        return (words.isEmpty ? "every entry" : words.joined(separator: " "))
            + (journal.isSearchable && filter.textForJournalAlone() != nil
                ? "; and the whole filter, if busctl-rx is installed there" : "")
    }

    package func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        let items = remoteItems(request).compactMap { [shift = request.shift] in $0.item?.shifted(by: shift) }
        return request.tellsPlaces ? items.tellingCursors().eraseToAnySignal() : items.eraseToAnySignal()
    }

    /// Counts the records that ``items(_:)`` sends without following.
    ///
    /// Over ssh the machine's own `busctl-rx` counts them, if it is installed and its counts have the same version, so that only counts
    /// cross the network. Otherwise the records come.
    package func counts(
        _ request: SourceRequest,
        by grouping: RecordGrouping
    ) -> AnySignal<SourceCounting, SourceError> {
        remoteItems(request, counting: grouping).compactMap { [shift = request.shift] item in
            switch item {
            case .item(let item): SourceCounting(item.shifted(by: shift))
            case .counts(let counts): .counts(counts)
            case .isRead: .isRead
            }
        }.eraseToAnySignal()
    }

    private func remoteItems(
        _ request: SourceRequest,
        counting grouping: RecordGrouping? = nil
    ) -> some Signal<RemoteItem, SourceError> {
        // Released after the thread was told to end, which then takes no end of a child for a loss.
        Signals.using({ SerialDisposable() }, release: { $0.dispose() }) { children in
            BlockingReaderSignal(
                RemoteReading(journal, request, counting: grouping, configuration: curlConfiguration, in: children)
            )
        }
    }

    private static func objection(toMissing program: String, _ package: String) -> String? {
        ProgramPath.exists(program)
            ? nil : "not here: there is no \(program) in the directories of PATH; the package is \(package)"
    }
}

/// The journal of another machine, which a child process reads and writes out in the journal export format.
enum RemoteJournal: Equatable, Sendable {
    case ssh(SSHAddress)
    case gateway(GatewayAddress)

    /// The machine's name.
    var host: String {
        switch self {
        case .ssh(let address): address.host
        case .gateway(let address): address.host
        }
    }

    /// As an error names it.
    var name: String {
        switch self {
        case .ssh(let address): "the journal of \(address.destination)"
        case .gateway(let address): address.url
        }
    }

    /// Whether its entries can be read from the newest to the oldest, and from a time on.
    var isSearchable: Bool { if case .ssh = self { true } else { false } }

    /// - Parameter configuration: the file with further options for curl.
    func child(_ request: RemoteRequest, configuration: String?) -> ChildProcess {
        var child: ChildProcess
        switch self {
        case .ssh(let address):
            child = ChildProcess("ssh", address.arguments(request))
            if let input = request.counts?.input ?? request.filter?.input(request.place) {
                child.input = .signal(Signals.just(input).eraseToAnySignal())
            }
        case .gateway(let address):
            child = ChildProcess("curl", address.arguments(request, configuration: configuration))
        }
        child.lineLimit = 4096
        return child
    }
}

/// One request for entries of another machine's journal.
struct RemoteRequest: Sendable {
    enum Place: Sendable {
        /// The first entry, or the first one of this time, in microseconds since 1970.
        case head(since: Int64?)
        /// So many of the newest, or all of them. A searchable journal begins with the newest, and ends with the time.
        case newest(Int?, since: Int64?)
        /// The entry with this cursor.
        case cursor(String)
    }

    let place: Place
    /// The last time that is wanted, in microseconds since 1970.
    var until: Int64?
    var follows = false
    /// The part of the filter that the machine is asked for.
    var alternatives: [String] = []
    var matches: [String] = []
    /// The whole filter, for a machine that can evaluate it.
    var filter: RemoteFilter?
    /// The question, if the machine is to count. If it cannot, the entries come.
    var counts: RemoteCounts?
}

/// What comes from another machine.
enum RemoteItem: Sendable {
    case item(RecordItem)
    /// The counts of all its records.
    case counts(RecordCounts)
    /// Its entries, which are counted here, are being read.
    case isRead

    var item: RecordItem? { if case .item(let item) = self { item } else { nil } }
}
