import Bridges
import Bus
import Forwarding
import Foundation
import Records
import RecordSources
import TapBridge
import Timers

/// Watches the errors of a unit: one in a while is passed on in the journal, all are counted and summed up by a calendar. What it notices is
/// posted on a bus, into which others may look.
///
/// SIGHUP reads the configuration again, SIGTERM and SIGINT end it in order, a second one at once.
final class UnitWatch: Sendable {
    /// Everything happens here, one thing at a time, but reading the journal.
    private let worker = ThreadScheduler(name: "worker")
    private let manager: ServiceManager
    private let path: String
    private let configuration: CurrentValueSubject<Configuration, Never>
    private let journal: JournalWriter
    private let errors = ErrorCount()
    /// How the parts hear of each other.
    private let bus = NotificationBus()
    private let tap: Tap?

    /// - Parameter tapSocket: where the manager listens for the tap, if it does; otherwise the configuration names a path.
    init(configuration path: String, manager: ServiceManager, tapSocket: ActivatedDescriptor?) throws {
        self.path = path
        self.manager = manager
        let first = try Configuration(file: path)
        configuration = CurrentValueSubject(first)
        journal =
            first.socket.map { JournalWriter(socket: $0, identifier: "unitwatch") }
            ?? JournalWriter(identifier: "unitwatch")
        if let tapSocket {
            tap = try bus.serve(listeningOn: tapSocket.listener(family: AF_UNIX), options: Self.tapOptions)
        } else if let path = first.tap {
            tap = try bus.serve(at: path, options: Self.tapOptions)
        } else {
            tap = nil
        }
        bus.post(LoadedConfiguration(first), to: .configurationLoaded)
    }

    private static var tapOptions: TapOptions {
        var options = TapOptions()
        options.product = "unitwatch"
        // Arguments may be passwords.
        options.redact = { _, path in path.last == "commandLine" }
        options.log = { FileHandle.standardError.write(Data("unitwatch: \($0)\n".utf8)) }
        return options
    }

    /// Returns when a signal has asked it to end and it has.
    func run(until signals: some Signal<OSSignal, OSSignalError>) async throws {
        // Heard from here on, before the manager is told that it may send any.
        var signals = signals.values().makeAsyncIterator()
        let parts = CompoundDisposable()
        parts.add(errors.count(bus.signal(for: .unitFailed).map(\.message)))
        parts.add(watchErrors())
        parts.add(watchOthers())
        parts.add(forwardErrors())
        parts.add(sumUp())
        parts.add(keepAlive())
        report { try manager.notify(.ready, .status("watching \(configuration.value.unit)")) }

        while let signal = try await signals.next(), signal.number == SIGHUP { reload() }

        report { try manager.notify(.stopping, .status("ending")) }
        parts.dispose()
        // What was given to the worker before is done when this is.
        await withCheckedContinuation { done in worker.schedule { done.resume() } }
        summarize(", at the end")
        bus.close()
        tap?.dispose()
    }

    // MARK: The parts

    /// The unit's errors as they come, of the unit that is configured at the time.
    private func watchErrors() -> any Disposable {
        configuration
            .flatMapLatest { [self] configuration in errorEntries(configuration) }
            .subscribe(next: { [self] in write("\($0)", priority: .warning) })
    }

    private func errorEntries(_ configuration: Configuration) -> AnySignal<String, Never> {
        guard let query = try? configuration.query() else { return AnySignal(Signals.empty()) }
        let entries = Signals.journal(configuration.source, from: .tail(0), query: query)
            .compactMap { item in item.entry.flatMap { UnitFailure($0, of: configuration.unit) } }
            // On the journal reader's thread, which is not this program's own to block: writing may wait.
            .on(
                next: { [bus] in bus.post($0, to: .unitFailed) },
                failed: { [self] in say("\($0)") }
            )
            .map(\.message)
            .retry(backoff: .exponential(from: .seconds(1), upTo: .seconds(60)))
            .replaceError(with: "the journal cannot be read")
            .throttle(configuration.pause)
            .deliver(on: worker, limit: 1000, overflow: .dropOldest)
            .map { "\(configuration.unit) says: \($0)" }
        return AnySignal(entries)
    }

    /// Errors that other sources tell of: a log file through its rotations, the journal of another machine. One that cannot be reached is
    /// waited for.
    private func watchOthers() -> any Disposable {
        configuration
            .flatMapLatest { [self] configuration -> AnySignal<Record, Never> in
                let others = configuration.others
                guard !others.isEmpty,
                    let records = try? Signals.records(from: others, matching: "severity <= err", prepare: follow)
                else { return AnySignal(Signals.never()) }
                return AnySignal(
                    records.on(failed: { [self] in say("\($0)") })
                        .retry(backoff: .exponential(from: .seconds(1), upTo: .seconds(60)))
                        .catch { _ in Signals.never() }
                )
            }
            .on(next: { [bus] in bus.post(UnitFailure($0), to: .unitFailed) })
            .deliver(on: worker, limit: 1000, overflow: .dropOldest)
            .subscribe(next: { [self] record in
                write("\(record.source) says: \(record.message ?? "")", priority: .warning)
            })
    }

    /// Only what comes from now on.
    private func follow(_ request: inout SourceRequest) {
        request.start = .last(0)
        request.reconnects = true
        request.note = { [self] note in if case .message(let text) = note { say(text, priority: .notice) } }
    }

    /// Stores the unit's errors on a server, each at least once: also those that came while this program did not run.
    private func forwardErrors() -> any Disposable {
        configuration
            .flatMapLatest { [self] configuration -> AnySignal<Forwarder.News, Never> in
                guard let sink = configuration.sink, let file = configuration.place.map({ CursorFile(path: $0) }) else {
                    return AnySignal(Signals.never())
                }
                do {
                    let forwarder = Forwarder(
                        to: sink,
                        from: configuration.source,
                        query: try configuration.query(),
                        on: worker
                    )
                    let keeper = PlaceKeeper(file) { [self] in say($0) }
                    let news = forwarder.forwarded(from: try ForwardPlace(file), keep: keeper) { [self] in
                        say($0, priority: .notice)
                    }
                    return AnySignal(news.on(failed: { [self] in say("\($0)") }).catch { _ in Signals.never() })
                } catch {
                    say("\(error)")
                    return AnySignal(Signals.never())
                }
            }
            .subscribe()
    }

    /// The calendar's job.
    private func sumUp() -> any Disposable {
        configuration
            .flatMapLatest { configuration -> AnySignal<Tick, Never> in
                guard let schedule = try? configuration.schedule() else { return AnySignal(Signals.never()) }
                return AnySignal(Signals.interval(calendar: schedule))
            }
            .deliver(on: worker, limit: 16, overflow: .dropOldest)
            .subscribe(next: { [self] _ in summarize() })
    }

    /// The watchdog's ping, as long as the worker works.
    private func keepAlive() -> any Disposable {
        let period = (manager.watchdogInterval ?? .seconds(10)) / 4
        let beat = Signals.interval(every: period).deliver(on: worker, limit: 1, overflow: .dropNewest)
        return manager.watchdog(gatedOn: [HealthSignal("worker", beat, within: period * 2)])
            // The worker may be what has stalled, and the thread of all timers is nobody's to block: this does not wait.
            .write(to: journal) { report in
                guard case .withheld(let stalled) = report else { return nil }
                return JournalMessage(stalled.map { "\($0)" }.joined(separator: "; "), priority: .error)
            }
            .subscribe()
    }

    private func summarize(_ addition: String = "") {
        let summary = Summary(errors: errors.takeAll())
        bus.post(summary, to: .summarized)
        write("\(summary.errors) errors since the last summary\(addition)")
    }

    private func reload() {
        report { try manager.notify(.reloading) }
        do {
            configuration.send(try Configuration(file: path))
            bus.post(LoadedConfiguration(configuration.value), to: .configurationLoaded)
            report { try manager.notify(.ready, .status("watching \(configuration.value.unit)")) }
        } catch {
            write("still with the configuration from before: \(error)", priority: .error)
            report { try manager.notify(.ready, .status("still with the configuration from before: \(error)")) }
        }
    }

    // MARK: Saying

    private func report(_ notification: () throws -> Bool) {
        do {
            _ = try notification()
        } catch {
            write("\(error)", priority: .error)
        }
    }

    /// Says something from any thread, which is not this program's own to block.
    private func say(_ text: String, priority: Severity = .error) {
        worker.schedule { [self] in write(text, priority: priority) }
    }

    private func write(_ text: String, priority: Severity = .info) {
        do throws(JournalWriteError) {
            try journal.write(JournalMessage(text, priority: priority))
        } catch {
            FileHandle.standardError.write(Data("unitwatch: \(text)\n".utf8))
        }
    }
}
