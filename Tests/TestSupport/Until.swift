/// Returns when `condition` is true, or the run's time is over. For actions of another thread or process that are not announced.
package func until(_ condition: @Sendable () -> Bool) async {
    while !condition(), !RunLimit.isOver {
        try? await Task.sleep(for: .milliseconds(2))
    }
}
