import Zones

/// Times of day that come again and again, in systemd's notation or cron's: `Mon..Fri *-*-* 08:00:00 Europe/Berlin`,
/// `0 8 * * 1-5`.
///
/// ``init(_:skippedTimes:repeatedTimes:)`` supports all of systemd.time(7), "Calendar Events": weekdays, lists, ranges,
/// steps with `/`, days counted from the month's end with `~`, fractions of a second, `@` and seconds since 1970, time
/// zones, and the words `minutely`, `hourly`, `daily`, `weekly`, `monthly`, `quarterly`, `semiannually` and `yearly`.
/// ``init(cron:skippedTimes:repeatedTimes:)`` reads the five fields of crontab(5).
///
/// ```swift
/// import Timers
///
/// let mornings = try CalendarSchedule("Mon..Fri 8:00 Europe/Berlin")
/// print(mornings)  // Mon..Fri *-*-* 08:00:00 Europe/Berlin
/// for morning in mornings.occurrences(after: SystemClock.wall.now).prefix(3) { print(morning) }
///
/// let nightly = try CalendarSchedule("2:30 Europe/Berlin", skippedTimes: .runAfter)
/// let quarters = try CalendarSchedule(cron: "*/15 9-17 * * mon-fri Europe/Berlin")
/// print(nightly, quarters)
/// ```
///
/// When the clocks change, they skip local times or show them twice; ``SkippedTimes`` and ``RepeatedTimes`` say what
/// becomes of those. A schedule is a value that any thread may use. It reads the zone once, when it is made.
public struct CalendarSchedule: Sendable, Hashable, CustomStringConvertible {
    /// Shared by copies: jobs and their offsets keep several.
    private let content: Content

    private final class Content: Sendable {
        let search: CalendarSearch
        let zone: ZoneInfo
        let description: String

        init(_ search: CalendarSearch, _ zone: ZoneInfo, _ description: String) {
            self.search = search
            self.zone = zone
            self.description = description
        }
    }

    var search: CalendarSearch { content.search }

    /// The zone whose clocks show the times.
    package var zone: ZoneInfo { content.zone }

    /// The normal form, as `systemd-analyze calendar` prints it. Read in the same zone, it makes a schedule with the same
    /// times again, but for what becomes of skipped and repeated ones.
    ///
    /// A cron expression that restricts both the day of the month and the weekday has two normal forms, joined by
    /// `or`, because systemd has no such expression. A unit takes them as two lines with `OnCalendar=`.
    public var description: String { content.description }

    /// Reads an expression in systemd's notation.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - local: the zone to use where the expression names none. Its abbreviations, such as `CET`, are understood.
    ///   - skippedTimes: what becomes of a local time that the clocks skip; systemd leaves it out.
    ///   - repeatedTimes: what becomes of a local time that the clocks show twice; systemd takes the first.
    /// - Throws: ``CalendarError``, which shows the place of the mistake.
    public init(
        _ text: String,
        local: ZoneInfo,
        skippedTimes: SkippedTimes = .skip,
        repeatedTimes: RepeatedTimes = .first
    ) throws(CalendarError) {
        self.init(try CalendarParser.parse(text, local: local), local, skippedTimes, repeatedTimes)
    }

    /// Reads an expression in systemd's notation. Where it names no zone, the machine's local zone is used. `UTC`, `@`
    /// and names such as `Europe/Berlin` need no local zone, and then it is not read.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - skippedTimes: what becomes of a local time that the clocks skip; systemd leaves it out.
    ///   - repeatedTimes: what becomes of a local time that the clocks show twice; systemd takes the first.
    /// - Throws: ``CalendarError``, or ``ZoneError`` when the local zone cannot be read.
    public init(
        _ text: String,
        skippedTimes: SkippedTimes = .skip,
        repeatedTimes: RepeatedTimes = .first
    ) throws {
        let local = try Self.mayNeedLocalZone(text) ? ZoneInfo.local() : .utc
        try self.init(text, local: local, skippedTimes: skippedTimes, repeatedTimes: repeatedTimes)
    }

    /// Reads a cron expression, with a zone behind it if it is not to be the local one:
    /// `*/5 9-17 * * 1-5 Europe/Berlin`.
    ///
    /// The fields are minute, hour, day of the month, month and weekday, as in crontab(5): numbers, ranges `9-17`, lists
    /// `1,15`, steps `*/5` and `9-17/2`, names of months and weekdays, Sunday as 0 and as 7; or one of `@hourly`,
    /// `@daily`, `@midnight`, `@weekly`, `@monthly`, `@yearly` and `@annually`. Where both the day of the month and the
    /// weekday are restricted, that is, do not begin with `*`, a day fits by either; otherwise by both. See
    /// <doc:Calendars> for what differs from other versions of cron.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - local: the zone to use where the expression names none.
    ///   - skippedTimes: what becomes of a local time that the clocks skip; nil for what cron does, which is `.skip` if
    ///     the field of the minute or the hour begins with `*`, and otherwise `.runAfter`.
    ///   - repeatedTimes: what becomes of a local time that the clocks show twice; nil for what cron does, which is
    ///     `.both` if the field of the minute or the hour begins with `*`, and otherwise `.first`.
    /// - Throws: ``CalendarError``, which shows the place of the mistake.
    public init(
        cron text: String,
        local: ZoneInfo,
        skippedTimes: SkippedTimes? = nil,
        repeatedTimes: RepeatedTimes? = nil
    ) throws(CalendarError) {
        let cron = try CronParser.parse(text)
        self.init(
            cron.expression,
            local,
            skippedTimes ?? (cron.isWildcard ? .skip : .runAfter),
            repeatedTimes ?? (cron.isWildcard ? .both : .first)
        )
    }

    /// Reads a cron expression as ``init(cron:local:skippedTimes:repeatedTimes:)`` does. Where it names no zone, the
    /// machine's local zone is used.
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - skippedTimes: what becomes of a local time that the clocks skip; nil for what cron does.
    ///   - repeatedTimes: what becomes of a local time that the clocks show twice; nil for what cron does.
    /// - Throws: ``CalendarError``, or ``ZoneError`` when the local zone cannot be read.
    public init(
        cron text: String,
        skippedTimes: SkippedTimes? = nil,
        repeatedTimes: RepeatedTimes? = nil
    ) throws {
        let local = try CronParser.namesZone(text) ? ZoneInfo.utc : .local()
        try self.init(cron: text, local: local, skippedTimes: skippedTimes, repeatedTimes: repeatedTimes)
    }

    private init(
        _ expression: CalendarExpression,
        _ local: ZoneInfo,
        _ skippedTimes: SkippedTimes,
        _ repeatedTimes: RepeatedTimes
    ) {
        var demanded: Bool?
        let zone: ZoneInfo
        let suffix: String?
        switch expression.zone {
        case .utc: (zone, suffix) = (.utc, "UTC")
        case .named(let named): (zone, suffix) = (named, named.name)
        case .local: (zone, suffix) = (local, nil)
        case .localDaylightSaving(let isOn):
            demanded = isOn
            zone = local
            suffix = isOn ? local.abbreviations.daylightSaving : local.abbreviations.standard
        }
        let search = CalendarSearch(
            fields: CalendarFields(expression),
            zone: zone.zone,
            demanded: demanded,
            skippedTimes: skippedTimes,
            repeatedTimes: repeatedTimes
        )
        let description = expression.normalForms.map { form in suffix.map { "\(form) \($0)" } ?? form }
            .joined(separator: " or ")
        content = Content(search, zone, description)
    }

    /// Whether it names no zone, or an abbreviation that means something else in each zone.
    private static func mayNeedLocalZone(_ text: String) -> Bool {
        if text.hasPrefix("@") { return false }
        guard let space = text.utf8.lastIndex(of: UInt8(ascii: " ")) else { return true }
        let last = text[text.utf8.index(after: space)...]
        return last.lowercased() != "utc" && !(CalendarParser.mayBeZone(last) && last.contains("/"))
    }

    /// What becomes of a local time that the clocks skip.
    public var skippedTimes: SkippedTimes { content.search.skippedTimes }

    /// What becomes of a local time that the clocks show twice.
    public var repeatedTimes: RepeatedTimes { content.search.repeatedTimes }

    /// The first time after `instant`, an instant of the wall clock; nil when there is none before the year 2200. The first
    /// of all is not before 1970. Takes less than a microsecond unless years lie between.
    public func next(after instant: TimerInstant) -> TimerInstant? {
        // There are no times before 1970.
        let microseconds = max(instant.nanoseconds.flooredQuotient(1000), -1)
        return content.search.next(after: microseconds).map { TimerInstant(nanoseconds: $0 * 1000) }
    }

    /// The times after `instant`, one by one, as they are asked for.
    public func occurrences(after instant: TimerInstant) -> some Sequence<TimerInstant> {
        sequence(state: instant) { last -> TimerInstant? in
            guard let next = next(after: last) else { return nil }
            last = next
            return next
        }
    }

    public static func == (a: CalendarSchedule, b: CalendarSchedule) -> Bool {
        a.content === b.content
            || a.description == b.description && a.zone == b.zone && a.skippedTimes == b.skippedTimes
                && a.repeatedTimes == b.repeatedTimes
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
