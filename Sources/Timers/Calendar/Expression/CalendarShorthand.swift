/// The words that stand for a whole expression.
enum CalendarShorthand {
    static let fields: [String: CalendarExpression] = {
        let minutely = CalendarExpression(microseconds: [CalendarComponent(start: 0)])
        var hourly = minutely
        hourly.minutes = [CalendarComponent(start: 0)]
        var daily = hourly
        daily.hours = [CalendarComponent(start: 0)]
        var weekly = daily
        weekly.weekdays = 1
        func starting(_ months: [Int]) -> CalendarExpression {
            var result = daily
            result.days = [CalendarComponent(start: 1)]
            result.months = months.map { CalendarComponent(start: $0) }
            return result
        }
        let (yearly, halfYearly) = (starting([1]), starting([1, 7]))
        return [
            "minutely": minutely, "hourly": hourly, "daily": daily, "weekly": weekly, "monthly": starting([]),
            "quarterly": starting([1, 4, 7, 10]),
            "yearly": yearly, "annually": yearly, "anually": yearly,
            "biannually": halfYearly, "bi-annually": halfYearly,
            "semiannually": halfYearly, "semi-annually": halfYearly,
        ]
    }()
}
