import Bus
import FilterBridge
import ProcessBridge
import SystemPackage

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

    /// The whole filter, if the machine itself can evaluate it, and selects the same entries.
    func filter(_ filter: RecordFilter) -> String? { isSearchable ? filter.textForJournalAlone : nil }

    /// - Parameter configuration: the file with further options for curl.
    func child(_ request: RemoteRequest, configuration: String?) -> ChildProcess {
        var child: ChildProcess
        switch self {
        case .ssh(let address):
            child = ChildProcess("ssh", address.arguments(request))
            if let filter = request.filter {
                let input = RemoteFilter.input(filter, request.place)
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
    var filter: String?
}
