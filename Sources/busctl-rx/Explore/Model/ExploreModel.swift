import Filter
import JournalBridge
import Records
import Terminal

/// What `explore` shows and what was chosen: a value that is stepped by events, and answers each with what is to be done.
struct ExploreModel {
    /// Where keys go.
    enum Focus: CaseIterable {
        case list, timeline, facets, details, filter, prompt
    }

    /// A question to the person.
    enum Prompt: Equatable {
        case search, export

        var text: String {
            switch self {
            case .search: "Search: "
            case .export: "Write what is selected (format and new file): "
            }
        }
    }

    enum Event {
        case screen(ScreenEvent)
        /// The terminal's size.
        case size(columns: Int, rows: Int)
        case counts(ExploreCounts, isWhole: Bool, of: Int)
        /// Records to one side of those that are held, in the order in which they were read.
        case records([Record], goesBack: Bool, of: Int)
        /// No further ones come for what was asked; there are none beyond if `isEnd`.
        case haveRead(goesBack: Bool, isEnd: Bool, of: Int)
        /// Records that have just come.
        case came([NewRecord], of: Int)
        /// More have come than could be taken.
        case cameTooMany(of: Int)
        /// What was searched; `nil` where there is nothing.
        case found(Record?, of: Int)
        case fieldNames([String])
        case failure(String)
    }

    enum Effect {
        case count(ExploreQuery, [RecordGrouping], as: Int)
        case read(ExploreQuery, ExplorePlace, goesBack: Bool, as: Int)
        /// - Parameter place: what comes after it; `nil` for all since the end was read, where nothing was found.
        case follow(ExploreQuery, from: ExplorePlace?, as: Int)
        case stopFollowing
        /// The next record that the query selects behind another one, or before it.
        case find(ExploreQuery, from: Record, goesBack: Bool, as: Int)
        case export(ExploreQuery, OutputFormat, file: String)
        case redraw
        case end
    }

    /// Of a longer value only the beginning is shown, in bytes.
    private static let maxDetail = 4096
    static let minColumns = 40
    static let minRows = 10
    /// A time line covers a second at least.
    private static let minTimes: Int64 = 1_000_000

    let title: String
    /// The words of the command that name what is read.
    let sourceWords: [String]
    /// Refuses a filter.
    let check: @Sendable (String) -> FilterError?

    private(set) var columns = 80
    private(set) var rows = 24
    private(set) var focus = Focus.list
    private(set) var showsFacets = false
    private(set) var showsDetails = false
    private(set) var showsHelp = false
    /// A line for the person, until the next key.
    private(set) var notice: String?

    // MARK: What was chosen

    private(set) var query: ExploreQuery
    /// The filter as it is being typed.
    private(set) var typed: TextField
    private(set) var error: FilterError?
    private var before: [ExploreQuery] = []
    /// The query when typing began.
    private var beforeTyping: ExploreQuery?
    private var history: [String] = []
    private var recalled: Int?
    private(set) var fieldNames: [String] = []
    private(set) var prompt: Prompt?
    /// The answer as it is being typed.
    private(set) var answer = TextField()
    private var searched: String?
    private(set) var marks = RecordMarks()

    // MARK: What is known

    /// The times of all records.
    private(set) var times: ClosedRange<Int64>?
    private var counting = 0
    private(set) var counts: ExploreCounts?
    private(set) var isCounted = false
    /// Whether the counts are those of an earlier question, which are shown until others come.
    private(set) var isCountOld = false
    private(set) var timeline: Timeline?
    private(set) var steps: [Timeline.Step] = []
    private(set) var timelineCursor = 0
    /// The other end of the steps that are chosen.
    private(set) var timelineMark: Int?
    /// Its values are up to date while it is shown.
    private(set) var facets: FacetPane
    private(set) var detailCursor = 0

    private var reading = 0
    private(set) var list = RecordList(atEnd: true)
    /// Whether what is held is of an earlier query, and goes when the first answer comes.
    private var isStale = false
    private var readsOlder = false
    private var readsNewer = false
    private(set) var follows: Bool
    private var isFollowing = false
    /// Records that came while others were being counted.
    private var uncounted: [NewRecord] = []
    /// How many have come since the list's end was left.
    private(set) var news = 0

    init(
        title: String,
        sourceWords: [String],
        facets: [String],
        query: ExploreQuery,
        times: ClosedRange<Int64>?,
        follows: Bool,
        check: @escaping @Sendable (String) -> FilterError?
    ) {
        self.title = title
        self.sourceWords = sourceWords
        self.facets = FacetPane(facets)
        self.query = query
        self.times = times.map(Self.bounded)
        self.follows = follows
        self.check = check
        typed = TextField(query.filter)
        error = check(query.filter)
    }

    /// The first effects.
    mutating func begin(columns: Int, rows: Int) -> [Effect] {
        (self.columns, self.rows) = (columns, rows)
        return ask(from: .end)
    }

    mutating func step(_ event: Event) -> [Effect] {
        switch event {
        case .screen(let event): return took(event)
        case .size(let columns, let rows):
            let isWider = columns != self.columns
            (self.columns, self.rows) = (columns, rows)
            return isWider ? count() : []
        case .counts(let counts, let isWhole, let number):
            guard number == counting else { return [] }
            take(counts, isWhole: isWhole)
            if isWhole {
                add(uncounted)
                uncounted = []
            }
            return []
        case .records(let records, let goesBack, let number):
            guard number == reading else { return [] }
            dropStale()
            if goesBack { list.addOlder(records) } else { list.addNewer(records) }
            return reach(records)
        case .haveRead(let goesBack, let isEnd, let number):
            guard number == reading else { return [] }
            dropStale()
            if goesBack { readsOlder = false } else { readsNewer = false }
            if isEnd { if goesBack { list.reachBegin() } else { list.reachEnd() } }
            var effects = isEnd ? [] : more()
            if follows, !isFollowing {
                isFollowing = true
                effects.append(.follow(query, from: list.records.last.map { .record($0) }, as: reading))
            }
            return effects
        case .cameTooMany(let number): return number == reading ? ask(from: place) : []
        case .came(let records, let number): return number == reading ? took(records) : []
        case .found(let record, let number):
            guard number == reading else { return [] }
            guard let record else {
                notice = "There is no further one."
                return []
            }
            notice = nil
            return read(from: .record(record))
        case .fieldNames(let names):
            fieldNames = names
            return []
        case .failure(let reason):
            notice = reason
            return []
        }
    }

    // MARK: Answers

    private mutating func dropStale() {
        guard isStale else { return }
        isStale = false
        list = RecordList(atEnd: list.isAtEnd)
        detailCursor = 0
    }

    private mutating func take(_ counts: ExploreCounts, isWhole: Bool) {
        self.counts = counts
        isCounted = isWhole
        isCountOld = false
        if let timeline, let over = counts.groups.first { steps = timeline.steps(over) }
        listValues()
    }

    private mutating func listValues() {
        if showsFacets, let counts { facets.take(counts.groups.dropFirst()) }
    }

    /// Records have come while it follows.
    private mutating func took(_ new: [NewRecord]) -> [Effect] {
        let events = new.filter { $0.record.kind == .event }
        if isCounted { add(events) } else { uncounted += events }
        if list.isAtEnd { list.addNewer(new.map(\.record)) } else { news += events.count }
        return reach(events.map(\.record))
    }

    /// Times of any record, so that there is room for computing with them.
    static func bounded(_ times: ClosedRange<Int64>) -> ClosedRange<Int64> { times.clamped(to: -(1 << 61)...(1 << 61)) }

    /// Has the time line reach as far as the records do.
    private mutating func reach(_ records: [Record]) -> [Effect] {
        guard let earliest = records.lazy.map(\.time).min(), let latest = records.lazy.map(\.time).max() else {
            return []
        }
        let (first, last) = (Self.bounded(earliest...latest).lowerBound, Self.bounded(earliest...latest).upperBound)
        guard let known = times else {
            times = first...max(last, first + Self.minTimes)
            return count()
        }
        if first >= known.lowerBound, last <= known.upperBound { return [] }
        // Room for what comes, so that not each record moves the time line.
        let room = last > known.upperBound && timeline?.column(of: last) == nil ? (last - known.lowerBound) / 16 : 0
        times = min(first, known.lowerBound)...max(last + room, known.upperBound)
        guard query.window == nil, timeline?.column(of: first) == nil || timeline?.column(of: last) == nil else {
            return []
        }
        return count()
    }

    /// Counts further records, unless counting has seen them.
    private mutating func add(_ new: [NewRecord]) {
        guard var counts, let timeline else { return }
        let records = new.lazy.filter { $0.place > counts.end }.map(\.record)
        if records.isEmpty { return }
        let groupings = groupings(timeline)
        for record in Array(records) {
            for index in counts.groups.indices { counts.groups[index].add(record, in: groupings[index]) }
        }
        counts.total += records.count
        take(counts, isWhole: true)
    }

    // MARK: Questions

    /// The times that the time line covers.
    private var shownTimes: ClosedRange<Int64>? { query.window.map(Self.bounded) ?? times }

    private func groupings(_ timeline: Timeline) -> [RecordGrouping] {
        [timeline.grouping] + facets.groupings
    }

    private mutating func count() -> [Effect] {
        guard error == nil else { return [] }
        guard let times = shownTimes else {
            // There is nothing yet.
            (counts, isCounted) = (ExploreCounts(), true)
            return []
        }
        let timeline = Timeline(over: times, columns: columns - 2)
        if timeline != self.timeline {
            (timelineCursor, timelineMark) = (min(timelineCursor, timeline.columns - 1), nil)
        }
        self.timeline = timeline
        if let over = counts?.groups.first { steps = timeline.steps(over) } else { steps = [] }
        counting += 1
        isCounted = false
        isCountOld = true
        uncounted = []
        return [.count(query, groupings(timeline), as: counting)]
    }

    /// Counts and reads anew.
    private mutating func ask(from place: ExplorePlace) -> [Effect] {
        count() + read(from: place)
    }

    private mutating func read(from place: ExplorePlace) -> [Effect] {
        reading += 1
        news = 0
        let isAtEnd = if case .end = place { true } else { false }
        let old = list
        list = RecordList(atEnd: isAtEnd)
        isStale = false
        if case .record(let record) = place {
            list = RecordList(around: record)
        } else if !old.records.isEmpty {
            // They are shown until others come.
            list = old
            list.forget(atEnd: isAtEnd)
            isStale = true
        }
        // From the end on it is followed behind the newest record that is read.
        isFollowing = !isAtEnd
        let following: [Effect] = follows && isFollowing ? [.follow(query, from: .end, as: reading)] : []
        switch place {
        case .end:
            (readsOlder, readsNewer) = (true, false)
            return [.read(query, .end, goesBack: true, as: reading)]
        case .begin:
            (readsOlder, readsNewer) = (false, true)
            return [.read(query, .begin, goesBack: false, as: reading)] + following
        case .time, .record:
            (readsOlder, readsNewer) = (true, true)
            return [
                .read(query, place, goesBack: false, as: reading), .read(query, place, goesBack: true, as: reading),
            ] + following
        }
    }

    /// Reads on where the cursor comes near the end of what is held.
    private mutating func more() -> [Effect] {
        guard !isStale, error == nil else { return [] }
        var effects: [Effect] = []
        let margin = rows * 2
        if !readsOlder, !list.hasBegin, list.cursor < margin, let first = list.records.first {
            readsOlder = true
            effects.append(.read(query, .record(first), goesBack: true, as: reading))
        }
        if !readsNewer, !list.hasEnd, list.cursor >= list.records.count - margin, let last = list.records.last {
            readsNewer = true
            effects.append(.read(query, .record(last), goesBack: false, as: reading))
        }
        return effects
    }

    // MARK: Choices

    /// Asks another question, which `undo` takes back.
    private mutating func choose(_ new: ExploreQuery, at place: ExplorePlace? = nil) -> [Effect] {
        guard new != query else { return [] }
        before.append(query)
        if before.count > 1000 { before.removeFirst() }
        return set(new, at: place)
    }

    private mutating func set(_ new: ExploreQuery, at place: ExplorePlace? = nil) -> [Effect] {
        query = new
        typed = TextField(new.filter)
        error = nil
        return ask(from: place ?? self.place)
    }

    /// The place that is kept when the question changes.
    private var place: ExplorePlace {
        guard !list.isAtEnd, let current = list.current else { return .end }
        return .time(current.time)
    }

    private mutating func undo() -> [Effect] {
        guard let last = before.popLast() else {
            notice = "There is nothing to take back."
            return []
        }
        return set(last)
    }

    /// Adds a condition on a value to the filter.
    private mutating func choose(_ name: String, _ value: String?, isWanted: Bool) -> [Effect] {
        for piece in FilterPiece.candidates(name, value, isWanted: isWanted) {
            for whole in FilterPiece.joined(query.filter, piece) where check(whole) == nil {
                var new = query
                new.filter = whole
                notice = piece
                return choose(new)
            }
        }
        notice = "The filter cannot ask for this value of \(name)."
        return []
    }

    // MARK: Keys

    private mutating func took(_ event: ScreenEvent) -> [Effect] {
        if case .resized = event { return [] }
        if case .ended = event { return [.end] }
        notice = nil
        if showsHelp {
            showsHelp = false
            return []
        }
        if case .pointer(let pointer) = event { return took(pointer) }
        if focus == .filter { return type(event) }
        if let prompt { return answer(prompt, event) }
        switch event {
        case .text("q"): return [.end]
        case .text("/"), .text("e"):
            focus = .filter
            beforeTyping = query
            recalled = nil
        case .text("?"), .key(.function(1)): showsHelp = true
        case .key(.tab): moveFocus(1)
        case .key(.backTab): moveFocus(-1)
        case .text("f"):
            showsFacets.toggle()
            listValues()
            focus = showsFacets ? .facets : .list
        case .text("d"):
            showsDetails.toggle()
            focus = showsDetails ? .details : .list
        case .text("p"): return showPatterns()
        case .text("t"): focus = focus == .timeline ? .list : .timeline
        case .key(.escape): leave()
        case .text("u"): return undo()
        case .text("F"): return toggleFollowing()
        case .text("c"): notice = command
        case .text("a"): return around()
        case .text("U"): return chooseOf("unit")
        case .text("B"): return chooseOf("boot")
        case .text("P"): return chooseOf("pid")
        case .text("o"): return widen()
        case .text("s"): ask(.search, "")
        case .text("w"): ask(.export, "short ")
        case .text("n"): return search(goesBack: false)
        case .text("N"): return search(goesBack: true)
        case .text("m"): if let current = list.current { marks.toggle(current) }
        case .text("'"): return nextMark()
        case .key(.control("l")): return [.redraw]
        default:
            switch focus {
            case .list: return listTook(event)
            case .timeline: return timelineTook(event)
            case .facets: return facetsTook(event)
            case .details: return detailsTook(event)
            case .filter, .prompt: break
            }
        }
        return []
    }

    // MARK: Prompts

    private mutating func ask(_ prompt: Prompt, _ text: String) {
        self.prompt = prompt
        answer = TextField(text)
        focus = .prompt
    }

    private mutating func answer(_ prompt: Prompt, _ event: ScreenEvent) -> [Effect] {
        switch event {
        case .key(.escape):
            self.prompt = nil
            focus = .list
        case .key(.enter):
            self.prompt = nil
            focus = .list
            switch prompt {
            case .search:
                searched = answer.text
                return search(goesBack: true)
            case .export: return export(answer.text)
            }
        default: _ = answer.take(event)
        }
        return []
    }

    private mutating func export(_ text: String) -> [Effect] {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, let format = OutputFormat(argument: words[0]) else {
            notice = "Write a format and a file: \(OutputFormat.names.joined(separator: " "))"
            return []
        }
        notice = "writing \(words[1])"
        return [.export(query, format, file: words[1])]
    }

    /// Looks for the next record whose message has what was searched.
    private mutating func search(goesBack: Bool) -> [Effect] {
        guard let searched, !searched.isEmpty, let current = list.current else {
            notice = "Press s to search."
            return []
        }
        let piece = "message =~ \(FilterText.quoted(SmartCase.pattern(searched)))"
        for whole in FilterPiece.joined(query.filter, piece) where check(whole) == nil {
            var wanted = query
            wanted.filter = whole
            notice = "searching \(searched)"
            return [.find(wanted, from: current, goesBack: goesBack, as: reading)]
        }
        notice = check(piece)?.message ?? "The filter and this search are too much together."
        return []
    }

    /// Goes to the next mark, and from the last one to the first.
    private mutating func nextMark() -> [Effect] {
        guard let next = marks.next(after: list.current) else {
            notice = "Press m to mark a record."
            return []
        }
        return read(from: .record(next))
    }

    private mutating func moveFocus(_ step: Int) {
        let order: [Focus] =
            [.list, .timeline] + (showsFacets ? [.facets] : []) + (showsDetails ? [.details] : [])
        let index = order.firstIndex(of: focus) ?? 0
        focus = order[(index + step + order.count) % order.count]
    }

    private mutating func leave() {
        switch focus {
        case .facets: showsFacets = false
        case .details: showsDetails = false
        case .timeline where timelineMark != nil:
            timelineMark = nil
            return
        default: break
        }
        focus = .list
    }

    private mutating func showPatterns() -> [Effect] {
        let isNew = facets.add(CommonField.pattern.rawValue)
        showsFacets = true
        focus = .facets
        facets.move(to: 0)
        if isNew { return count() }
        listValues()
        return []
    }

    private func distance(_ event: ScreenEvent, page: Int) -> Int? {
        switch event {
        case .key(.up), .text("k"): -1
        case .key(.down), .text("j"): 1
        case .key(.pageUp), .key(.control("b")): -page
        case .key(.pageDown), .key(.control("f")), .text(" "): page
        case .key(.home), .text("g"): .min / 2
        case .key(.end), .text("G"): .max / 2
        default: nil
        }
    }

    private mutating func listTook(_ event: ScreenEvent) -> [Effect] {
        switch event {
        case .key(.enter):
            showsDetails.toggle()
            return []
        case .key(.home), .text("g"): if !list.hasBegin { return read(from: .begin) }
        case .key(.end), .text("G"): if !list.hasEnd || news > 0 { return read(from: .end) }
        default: break
        }
        guard let distance = distance(event, page: max(1, layout.list.count - 1)) else { return [] }
        list.move(by: distance)
        detailCursor = 0
        if list.isAtEnd, news > 0 { return read(from: .end) }
        return more()
    }

    private mutating func toggleFollowing() -> [Effect] {
        follows.toggle()
        guard follows else { return [.stopFollowing] }
        return read(from: .end)
    }

    private mutating func timelineTook(_ event: ScreenEvent) -> [Effect] {
        guard let timeline else { return [] }
        switch event {
        case .key(.left), .text("h"): timelineCursor = max(0, timelineCursor - 1)
        case .key(.right), .text("l"): timelineCursor = min(timeline.columns - 1, timelineCursor + 1)
        case .key(.home), .text("g"): timelineCursor = 0
        case .key(.end), .text("G"): timelineCursor = timeline.columns - 1
        case .text(" "):
            timelineMark = timelineMark == nil ? timelineCursor : nil
            return []
        case .key(.enter), .text("+"):
            let (first, last) = (
                min(timelineMark ?? timelineCursor, timelineCursor), max(timelineMark ?? timelineCursor, timelineCursor)
            )
            var new = query
            new.window = timeline.times(of: first).lowerBound...timeline.times(of: last).upperBound
            timelineMark = nil
            return choose(new, at: .end)
        case .text("-"): return widen()
        default: return []
        }
        return error == nil ? read(from: .time(timeline.times(of: timelineCursor).lowerBound)) : []
    }

    /// Shows times before and behind those that are shown.
    private mutating func widen() -> [Effect] {
        guard let window = query.window else { return [] }
        var new = query
        let (length, _) = window.upperBound.subtractingReportingOverflow(window.lowerBound)
        let wide =
            window.lowerBound.subtractingReportingOverflow(length)
            .partialValue...window.upperBound.addingReportingOverflow(length).partialValue
        let isAll = times.map { wide.lowerBound <= $0.lowerBound && wide.upperBound >= $0.upperBound } ?? true
        new.window = isAll ? nil : wide
        return choose(new)
    }

    private mutating func facetsTook(_ event: ScreenEvent) -> [Effect] {
        if let distance = distance(event, page: max(1, layout.list.count - 1)) {
            facets.move(to: facets.cursor + distance)
            return []
        }
        switch (event, facets.current) {
        case (.key(.enter), .field(let index, _)): facets.extend(index)
        case (.text("x"), .field(let index, _)):
            facets.remove(index)
            return count()
        case (.key(.enter), .value(let index, let value, _)):
            return choose(facets.facets[index].path.text, value, isWanted: true)
        case (.text("x"), .value(let index, let value, _)):
            return choose(facets.facets[index].path.text, value, isWanted: false)
        default: break
        }
        return []
    }

    private mutating func detailsTook(_ event: ScreenEvent) -> [Effect] {
        let fields = details
        if let distance = distance(event, page: 10) {
            detailCursor = max(0, min(detailCursor + distance, fields.count - 1))
            return []
        }
        guard fields.indices.contains(detailCursor) else { return [] }
        let field = fields[detailCursor]
        switch event {
        case .key(.enter), .text("x"):
            guard field.isWhole else {
                notice = "The value is too long to be a part of the filter."
                return []
            }
            return choose(field.name, field.text, isWanted: event == .key(.enter))
        case .text("+"):
            guard facets.add(field.name) else { return [] }
            showsFacets = true
            return count()
        default: return []
        }
    }

    /// All records around the one under the cursor.
    private mutating func around() -> [Effect] {
        guard let current = list.current else { return [] }
        return choose(ExploreQuery(), at: .time(current.time))
    }

    private mutating func chooseOf(_ name: String) -> [Effect] {
        guard let current = list.current, let value = current.text(of: FieldPath(orNameOfField: name)) else {
            notice = "This record has no \(name)."
            return []
        }
        return choose(name, value, isWanted: true)
    }

    private mutating func took(_ pointer: Pointer) -> [Effect] {
        let layout = layout
        switch pointer.action {
        case .wheelUp, .wheelDown:
            return listTook(.key(pointer.action == .wheelUp ? .up : .down))
        case .press, .doublePress:
            if layout.timeline.contains(pointer.place.row), let timeline {
                focus = .timeline
                timelineCursor = max(0, min(pointer.place.column - 1, timeline.columns - 1))
                if pointer.action == .doublePress { return timelineTook(.key(.enter)) }
                return error == nil ? read(from: .time(timeline.times(of: timelineCursor).lowerBound)) : []
            }
            if let columns = layout.facets, layout.list.contains(pointer.place.row),
                columns.contains(pointer.place.column)
            {
                focus = .facets
                facets.move(to: firstFacet + pointer.place.row - layout.list.lowerBound)
                return pointer.action == .doublePress ? facetsTook(.key(.enter)) : []
            }
            if layout.list.contains(pointer.place.row) {
                focus = .list
                list.move(to: firstRecord + pointer.place.row - layout.list.lowerBound)
                if pointer.action == .doublePress { showsDetails.toggle() }
                return more()
            }
            if pointer.place.row == layout.filter {
                focus = .filter
                beforeTyping = query
            }
            return []
        default: return []
        }
    }

    // MARK: Typing

    private mutating func type(_ event: ScreenEvent) -> [Effect] {
        switch event {
        case .key(.enter):
            guard error == nil else { return [] }
            focus = .list
            if !query.filter.isEmpty, history.last != query.filter { history.append(query.filter) }
            if let old = beforeTyping, old != query { before.append(old) }
            beforeTyping = nil
            return []
        case .key(.escape):
            focus = .list
            defer { beforeTyping = nil }
            guard let old = beforeTyping, old != query || error != nil else { return [] }
            return set(old)
        case .key(.up), .key(.down):
            let index = (recalled ?? history.count) + (event == .key(.up) ? -1 : 1)
            guard index >= 0, index <= history.count else { return [] }
            recalled = index
            typed.text = index < history.count ? history[index] : ""
        case .key(.tab): complete()
        default: guard typed.take(event) else { return [] }
        }
        let text = typed.text
        error = check(text)
        guard error == nil, text != query.filter else { return [] }
        query.filter = text
        return ask(from: place)
    }

    /// Completes the name before the cursor.
    private mutating func complete() {
        let head = typed.head
        let word = String(head.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
        guard !word.isEmpty else { return }
        let found = fieldNames.filter { $0.hasPrefix(word) }
        guard let first = found.first else { return }
        let common = found.dropFirst().reduce(first) { common, name in
            String(zip(common, name).prefix { $0 == $1 }.map(\.0))
        }
        typed.insert(common.dropFirst(word.count))
        if found.count > 1 { notice = found.prefix(20).joined(separator: " ") }
    }

    // MARK: Parts of what is shown

    /// A field of the record under the cursor.
    struct Detail {
        let name: String
        /// The value, or its beginning.
        var text = ""
        /// Whether that is all of it.
        var isWhole = true
    }

    var details: [Detail] {
        guard let current = list.current else { return [] }
        return current.content.withFields { fields in
            fields.prefix(1000).map { field in
                var detail = Detail(name: String(decoding: field.name.prefix(300), as: UTF8.self))
                field.value.withPlainBytes { value in
                    detail.text = String(decoding: value.prefix(Self.maxDetail), as: UTF8.self)
                    detail.isWhole = value.count <= Self.maxDetail
                }
                return detail
            }
        }
    }

    /// The equal command of tail.
    var command: String {
        var words = ["busctl-rx", "tail"] + sourceWords + (follows ? [] : ["--no-follow"])
        if let window = query.window {
            words += ["-S", Self.seconds(window.lowerBound), "-U", Self.seconds(window.upperBound)]
        }
        if !query.filter.allSatisfy(\.isWhitespace) {
            words += (query.filter.hasPrefix("-") ? ["--"] : []) + [query.filter]
        }
        return words.map(ShellText.quoted).joined(separator: " ")
    }

    /// A time as options have it.
    private static func seconds(_ time: Int64) -> String {
        let (seconds, rest) = (time / 1_000_000, time % 1_000_000)
        let digits = String(rest)
        return "@\(seconds)" + (rest == 0 ? "" : "." + String(repeating: "0", count: 6 - digits.count) + digits)
    }

    // MARK: Places on the screen

    struct Layout: Equatable {
        var title = 0
        var filter = 1
        /// The line for errors and notices.
        var message = 2
        var timeline = 3..<3
        var axis = 3
        var list = 4..<4
        var details = 4..<4
        /// The columns of the facets.
        var facets: Range<Int>?
        var keys = 0
    }

    var layout: Layout {
        var layout = Layout()
        let height = rows < 20 ? 2 : rows < 40 ? 4 : 6
        layout.timeline = 3..<3 + height
        layout.axis = layout.timeline.upperBound
        layout.keys = rows - 1
        let first = layout.axis + 1
        let room = max(1, layout.keys - first)
        let detailRows = showsDetails ? min(max(4, room / 2), room - 2) : 0
        layout.list = first..<max(first + 1, layout.keys - max(0, detailRows))
        layout.details = layout.list.upperBound..<layout.keys
        if showsFacets { layout.facets = max(20, columns - min(44, columns / 2))..<columns }
        return layout
    }

    /// The record in the first row of the list.
    var firstRecord: Int { Self.first(list.cursor, of: list.records.count, in: layout.list.count) }

    /// The line in the first row of the facets.
    var firstFacet: Int { Self.first(facets.cursor, of: facets.lines.count, in: layout.list.count) }

    /// The first of the lines that are shown, so that the cursor is among them, and in the middle where it can be.
    static func first(_ cursor: Int, of count: Int, in room: Int) -> Int {
        max(0, min(cursor - room / 2, count - room))
    }
}
