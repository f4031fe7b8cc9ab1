/// The value of `--order-window`: a duration, or 0.
struct WindowArgument: Equatable {
    let duration: Duration

    init(argument: String) throws {
        if argument == "0" {
            duration = .zero
            return
        }
        do {
            duration = try DurationArgument(argument: argument).duration
        } catch {
            throw BadValue(description: "write a duration, as in 100ms or 2s, or 0 for the order of arrival")
        }
    }
}
