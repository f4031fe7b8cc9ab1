import Glibc
package import Testing

/// Returns when `condition` is true. For actions of another thread or process that are not announced.
///
/// When the run's time is over, it records an issue and returns: a test that waits in vain is red, whatever it checks
/// afterwards.
package func until(_ sourceLocation: SourceLocation = #_sourceLocation, _ condition: @Sendable () -> Bool) async {
    while !condition() {
        guard !RunLimit.isOver else { return recordOverrun(sourceLocation) }
        try? await Task.sleep(for: .milliseconds(2))
    }
}

/// The same, and blocks the thread.
package func waitUntil(_ sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool) {
    while !condition() {
        guard !RunLimit.isOver else { return recordOverrun(sourceLocation) }
        usleep(1000)
    }
}

private func recordOverrun(_ sourceLocation: SourceLocation) {
    Issue.record("the run is over, and what is waited for here has not happened", sourceLocation: sourceLocation)
}
