public import Bus
import Filter
public import FilterBridge
import Glibc
public import Records
import TapBridge

/// The notification bus of a running program, through its tap: `unix:PATH`, `unix:NAME`.
public struct TapRecords: RecordSource {
    public static let spellings = [
        SourceSpelling(
            "unix",
            operand: "PATH|NAME",
            example: "unix:/run/deployer.tap",
            summary: "the notification bus of a running program, through its tap",
            name: "bus",
            operands: .files
        )
    ]

    public let word = "unix"
    /// The path of the tap's socket.
    public let socket: String

    public init(word: String, operand: String) throws(SourceArgumentError) {
        socket = try Self.socket(named: operand)
    }

    /// - Parameter socket: the path of the tap's socket.
    public init(socket: String) {
        self.socket = socket
    }

    public var fields: RecordKind { .busEvents }
    public var traits: SourceTraits { [.live, .awaitable] }

    public func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        let selects = request.selects
        @Sendable func isWanted(_ news: TapNews) -> Bool {
            guard case .event(let event) = news else { return true }
            return selects(event.record(from: request.name))
        }
        let all = watch(nil, request).filter { isWanted($0) }.eraseToAnySignal()
        let news = filterForProgram(request).map { filter in
            // A filter that is too costly for the program is evaluated here.
            watch(filter, request).catch { error in
                error.isFilterOverLimit ? all : Signals.fail(error).eraseToAnySignal()
            }.eraseToAnySignal()
        }
        return (news ?? all)
            .reconnecting(
                request,
                hasBegun: { news in if case .began = news { true } else { false } },
                isTemporary: { $0.isTemporary }
            )
            .recordItems(from: request.name)
            .map { [shift = request.shift] in $0.shifted(by: shift) }
            .mapError { request.failure($0.description) }
            .eraseToAnySignal()
    }

    /// Bytes that may wait for this process in the program.
    private static let buffer = 4 << 20

    private func watch(_ filter: String?, _ request: SourceRequest) -> AnySignal<TapNews, TapClientError> {
        TapClient(path: socket).watch(filter: filter, buffer: Self.buffer, on: request.scheduler).eraseToAnySignal()
    }

    /// The filter's text, if the program can evaluate it: when it applies to this source alone, and its results need
    /// not be counted.
    private func filterForProgram(_ request: SourceRequest) -> String? {
        guard request.isAlone, request.tally == nil, request.shift == 0, let filter = request.filter else { return nil }
        let text = filter.filter.text
        return TapClient.canFilter(text) ? text : nil
    }

    /// The path of a tap's socket as it is typed.
    ///
    /// - Parameter operand: what has a slash in it is a path. Anything else is a name, or if no tap has it, a path.
    package static func socket(named operand: String) throws(SourceArgumentError) -> String {
        if operand.isEmpty {
            throw SourceArgumentError("write the path of a tap, or the name of one that 'busctl-rx sources' lists")
        }
        if operand.contains("/") { return operand }
        let all = TapPath.all()
        let found = all.filter { $0.hasSuffix("/\(operand).tap") || $0.hasSuffix("/\(operand)") }
        switch found.count {
        case 1: return found[0]
        case 0 where access(operand, F_OK) == 0: return "./\(operand)"
        case 0:
            let known = all.isEmpty ? "" : "; there are \(all.joined(separator: ", "))"
            throw SourceArgumentError("no program here serves a tap of this name\(known); write the path of its socket")
        default:
            throw SourceArgumentError(
                "several programs serve a tap of this name: \(found.joined(separator: ", ")); write a path"
            )
        }
    }
}
