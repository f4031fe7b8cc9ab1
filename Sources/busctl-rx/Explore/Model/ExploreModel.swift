import Filter
import JournalBridge
import Records
import Terminal

/// The state of `explore`: a value that is stepped by events, and answers each with effects.
struct ExploreModel {
    /// Where keys go.
    enum Focus: Equatable {
        case list, timeline, facets, details, filter
        case prompt(Prompt)
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
        case records([NumberedRecord], goesBack: Bool, of: Int)
        /// No further ones come for what was asked; there are none beyond if `isEnd`.
        case haveRead(goesBack: Bool, isEnd: Bool, of: Int)
        /// Records that have just come.
        case came([NumberedRecord], of: Int)
        /// More have come than could be taken.
        case cameTooMany(of: Int)
        /// The next record of a search; `nil` where there is none.
        case found(Record?, of: Int)
        case fieldNames([String])
        /// Values of the field that is being typed, which begin with a text.
        case values([String], startingWith: String)
        /// Why the counts end too early.
        case countingFailed(String, of: Int)
        /// Why no further records come for what was asked.
        case readingFailed(String, of: Int)
        case failure(String)
    }

    enum Effect {
        case count(ExploreQuery, [RecordGrouping], as: Int)
        case read(ExploreQuery, ExplorePlace, goesBack: Bool, as: Int)
        /// - Parameter place: what comes after it; `nil` for all since the question was asked, where nothing was found.
        case follow(ExploreQuery, from: ExplorePlace?, as: Int)
        case stopFollowing
        /// The next record that the query selects behind another one, or before it.
        case find(ExploreQuery, from: Record, goesBack: Bool, as: Int)
        case findNames
        case findValues(of: String, startingWith: String)
        case export(ExploreQuery, OutputFormat, file: String)
        case redraw
        case end
    }

    /// How far the present question is counted.
    enum Progress {
        /// The counts are those of an earlier question, and shown until others come.
        case old
        case partial, whole
        /// The counts ended before they were whole.
        case failed
    }

    /// Of a longer value only the beginning is shown, in bytes.
    static let maxDetail = 4096
    static let minColumns = 40
    static let minRows = 10

    let title: String
    /// The words of the command that name what is read.
    let sourceWords: [String]
    /// Which records there are, for a person; `nil` where that is all.
    let bound: @Sendable () -> String?
    /// The catalogue's text about a record, in lines.
    let explain: @Sendable (Record) -> [String]
    /// Refuses a filter.
    let check: @Sendable (String) -> FilterError?

    var columns = 80
    var rows = 24
    /// Whether nothing but the size that is needed is shown.
    var isTooSmall: Bool { columns < Self.minColumns || rows < Self.minRows }
    var focus = Focus.list
    var showsFacets = false
    var showsDetails = false
    var showsHelp = false
    /// A line for the person, until the next key.
    var notice: String?
    /// Why what was asked has no whole answer, until it is asked anew.
    var failure: String?

    // MARK: Choices so far

    var query: ExploreQuery
    /// The filter as it is being typed.
    var typed: TextField
    /// Why that is no filter. The query keeps the last one that was.
    var error: FilterError?
    var before: [ExploreQuery] = []
    /// The query when typing began.
    var beforeTyping: ExploreQuery?
    var history: [String] = []
    var recalled: Int?
    var fieldNames: [String] = []
    /// The answer to a prompt, as it is being typed.
    var answer = TextField()
    var searched: String?
    var marks = RecordMarks()

    // MARK: Answers so far

    /// The times of all records.
    var times: ClosedRange<Int64>?
    var counting = 0
    var counts: ExploreCounts?
    /// The question that they answer.
    var countedQuery: ExploreQuery?
    var progress = Progress.old
    var timeline: Timeline?
    /// Whether records lie beyond it, or were not kept, and are counted when the present count has ended.
    var isTimelineShort = false
    var steps: [Timeline.Step] = []
    var timelineCursor = 0
    /// The other end of the steps that are chosen.
    var timelineMark: Int?
    /// Its values are up to date while it is shown.
    var facets: FacetPane
    var detailCursor = 0

    var reading = 0
    var list = RecordList(atEnd: true)
    /// Whether what is held is of an earlier query, and goes when the first answer comes.
    var isStale = false
    var readsOlder = false
    var readsNewer = false
    var follows: Bool
    /// The number of the question whose new records are awaited.
    var following = 0
    var isFollowing = false
    /// Whether the newest records are being read, which the counts may lack.
    var readsEnd = false
    /// Records that came while others were being counted.
    var uncounted: [NumberedRecord] = []
    /// How many have been added to the present counts.
    var added = 0
    /// How many have come since the list's end was left.
    var news = 0

    init(
        title: String,
        sourceWords: [String],
        facets: [String],
        query: ExploreQuery,
        times: ClosedRange<Int64>?,
        follows: Bool,
        bound: @escaping @Sendable () -> String? = { nil },
        explain: @escaping @Sendable (Record) -> [String] = { _ in [] },
        check: @escaping @Sendable (String) -> FilterError?
    ) {
        self.title = title
        self.sourceWords = sourceWords
        self.facets = FacetPane(facets)
        self.query = query
        self.times = times.map(Self.bounded)
        self.follows = follows
        self.bound = bound
        self.explain = explain
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
                return countAgain()
            }
            return []
        case .records(let records, let goesBack, let number):
            guard number == reading else { return [] }
            dropStale()
            let found = records.map(\.record)
            if goesBack { list.addOlder(found) } else { list.addNewer(found) }
            if readsEnd { tally(records) }
            return reach(found)
        case .haveRead(let goesBack, let isEnd, let number):
            guard number == reading else { return [] }
            dropStale()
            if goesBack { (readsOlder, readsEnd) = (false, false) } else { readsNewer = false }
            if isEnd { if goesBack { list.reachBegin() } else { list.reachEnd() } }
            var effects = isEnd ? [] : more()
            if follows, !isFollowing {
                isFollowing = true
                effects.append(.follow(query, from: list.records.last.map { .record($0) }, as: following))
            }
            return effects
        case .cameTooMany(let number): return number == following ? ask(from: place) : []
        case .came(let records, let number): return number == following ? took(records) : []
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
        case .values(let values, let start): return took(values, startingWith: start)
        case .countingFailed(let reason, let number):
            guard number == counting else { return [] }
            (progress, failure, uncounted) = (.failed, reason, [])
            return []
        case .readingFailed(let reason, let number):
            guard number == reading else { return [] }
            dropStale()
            (readsOlder, readsNewer, failure) = (false, false, reason)
            return []
        case .failure(let reason):
            notice = reason
            return []
        }
    }

    // MARK: Answers

    mutating func dropStale() {
        guard isStale else { return }
        isStale = false
        // Its cursor may have been moved meanwhile.
        list = RecordList(atEnd: list.hasEnd)
        detailCursor = 0
    }

    // MARK: Questions

    /// Reads anew, counts, and follows.
    mutating func ask(from place: ExplorePlace) -> [Effect] {
        following += 1
        news = 0
        let reads = readPages(from: place)
        // From the end on it is followed behind the newest record that is read.
        isFollowing = follows && !readsEnd
        // What comes is awaited before it is counted, so that nothing is missed in between.
        return reads + (isFollowing ? [.follow(query, from: .end, as: following)] : []) + count()
    }

    /// Reads from a place other than the end for the same question. The counts stand, and what comes is followed as before.
    mutating func read(from place: ExplorePlace) -> [Effect] {
        follows && !isFollowing ? ask(from: place) : readPages(from: place)
    }

    private mutating func readPages(from place: ExplorePlace) -> [Effect] {
        reading += 1
        failure = nil
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
        readsEnd = isAtEnd
        switch place {
        case .end:
            (readsOlder, readsNewer) = (true, false)
            return [.read(query, .end, goesBack: true, as: reading)]
        case .begin:
            (readsOlder, readsNewer) = (false, true)
            return [.read(query, .begin, goesBack: false, as: reading)]
        case .time, .record:
            (readsOlder, readsNewer) = (true, true)
            return [
                .read(query, place, goesBack: false, as: reading), .read(query, place, goesBack: true, as: reading),
            ]
        }
    }

    /// Reads on where the cursor comes near the end of what is held.
    mutating func more() -> [Effect] {
        if isStale { return [] }
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

    /// The place that is kept when the question changes.
    var place: ExplorePlace {
        guard !list.isAtEnd, let current = list.current else { return .end }
        return .time(current.time.microseconds)
    }
}
