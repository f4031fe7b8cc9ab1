public import Bus
import Filter
import FilterBridge
public import Records

extension Signals {
    /// The records of a source as it is typed on the command line of `busctl-rx`, old ones first, and then those that come.
    ///
    /// ```swift
    /// import Bus
    /// import Records
    /// import RecordSources
    ///
    /// let errors = try Signals.records(from: "json:/var/log/app.json", matching: "level == 'error' && status >= 500")
    /// let subscription = errors.subscribe(
    ///     next: { print($0.message ?? "") },
    ///     failed: { print($0) }
    /// )
    /// ```
    ///
    /// Cold: each subscription reads the source anew.
    ///
    /// - Ends: when the source does, or, if not followed, behind its old records.
    /// - Fails: when the source is not available or was lost.
    /// - Pausing: passed on to sources that can pause. Buses lose messages then, which a gap reports.
    /// - Thread: that of the source.
    ///
    /// - Parameters:
    ///   - source: a kind of source and which, see ``SourceKinds/standard``.
    ///   - expression: selects records, in the filter language; `nil` for all.
    ///   - start: the old records that are wanted.
    ///   - since: the earliest time that is wanted.
    ///   - follow: whether to go on with what comes.
    ///   - reconnects: whether a source that cannot be reached, or was lost, is waited for.
    ///   - note: called with what a person may want to know, on any thread.
    ///   - kinds: the kinds of sources that can be typed.
    /// - Throws: `SourceArgumentError` or `FilterError`, a description of the mistake with the correction.
    public static func records(
        from source: String,
        matching expression: String? = nil,
        start: SourceRequest.Start = .recent(10),
        since: RecordTime? = nil,
        follow: Bool = true,
        reconnects: Bool = false,
        note: @escaping @Sendable (SourceNote) -> Void = { _ in },
        of kinds: SourceKinds = .standard
    ) throws -> AnySignal<Record, SourceError> {
        let source = try kinds.source(source)
        try source.check()
        return try records(from: [NamedSource(source.name, source)], matching: expression) { request in
            request.start = start
            request.since = since
            request.follows = follow
            request.reconnects = reconnects
            request.note = note
        }
    }

    /// The records of several sources, in the order of their times; see `merge(inOrder:)`.
    ///
    /// ```swift
    /// import Bus
    /// import Records
    /// import RecordSources
    ///
    /// let kinds = SourceKinds.standard
    /// let sources = [
    ///     NamedSource("journal", try kinds.source("journal")),
    ///     NamedSource("web", try kinds.source("json:/var/log/web.json")),
    /// ]
    /// let errors = try Signals.records(from: sources, matching: "source == 'web' ? status >= 500 : priority <= err")
    /// let subscription = errors.subscribe(next: { print($0.source, $0.message ?? "") }, failed: { print($0) })
    /// ```
    ///
    /// - Parameters:
    ///   - sources: with distinct names.
    ///   - expression: selects records, in the filter language; `nil` for all.
    ///   - window: how long a record waits for earlier ones of sources that are idle.
    ///   - prepare: says what is wanted of each source; the filter is set already.
    /// - Throws: `FilterError`, a description of the mistake with the correction.
    public static func records(
        from sources: [NamedSource],
        matching expression: String? = nil,
        window: Duration = .milliseconds(100),
        prepare: (inout SourceRequest) -> Void = { _ in }
    ) throws -> AnySignal<Record, SourceError> {
        let filter = try expression.map { text throws(FilterError) in try RecordFilter(text, sources: sources.fields) }
        let scheduler = ThreadScheduler(name: "bus-records")
        let signals = sources.map { named in
            var request = SourceRequest(name: named.name, on: scheduler)
            request.filter = filter?.forOneSource()
            request.isAlone = sources.count == 1
            prepare(&request)
            return named.source.items(request).within(request)
        }
        guard signals.count == 1, let only = signals.first else {
            return merge(inOrder: signals, window: window).eraseToAnySignal()
        }
        return only.compactMap { item in if case .record(let record) = item { record } else { nil } }.eraseToAnySignal()
    }
}

extension AnySignal<RecordItem, SourceError> {
    /// Without records of times that are not wanted.
    fileprivate func within(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        guard request.since != nil || request.until != nil else { return self }
        return filter { [since = request.since, until = request.until] item in
            guard case .record(let record) = item, record.kind == .event else { return true }
            return (since ?? record.time) <= record.time && record.time <= (until ?? record.time)
        }.eraseToAnySignal()
    }
}
