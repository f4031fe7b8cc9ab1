public import Bus

/// systemd-logind, over D-Bus: when the machine goes to sleep, with time to prepare for it.
///
/// ```swift
/// import Bus
/// import DBusBridge
///
/// let login = LoginManager(DBusConnection(.system))
/// let subscription = login.sleep(who: "backup", why: "closes its files").subscribe(
///     next: { event in
///         switch event {
///         case .goesToSleep(let delay):
///             // Close files; the machine waits until `delay` is released.
///             delay.release()
///         case .isAwake: print("go on")
///         }
///     },
///     failed: { print($0) }
/// )
/// ```
public struct LoginManager: Sendable {
    static let path = "/org/freedesktop/login1"
    static let interface = "org.freedesktop.login1.Manager"

    /// The bus that logind is on: the system bus, except in tests.
    public let connection: DBusConnection
    /// The name logind has on the bus.
    public let name: String

    /// - Parameters:
    ///   - connection: the system bus.
    ///   - name: another name on the bus, for a stand-in of logind in tests.
    public init(_ connection: DBusConnection, name: String = "org.freedesktop.login1") {
        self.connection = connection
        self.name = name
    }

    /// When the machine goes to sleep, and when it is awake again. Cold.
    ///
    /// ```
    /// logind   -----sleeps----resumes---x
    /// sleep    -----z---------a---------x
    /// ```
    ///
    /// A signal alone would be useless: the machine would sleep before anybody has heard it. So the subscription
    /// holds one of logind's delay locks, hands it over with ``SleepEvent/goesToSleep(_:)``, and takes another when
    /// the machine is awake. logind waits no longer than its `InhibitDelayMaxSec`, 5 s unless configured.
    ///
    /// Each event comes once, however often logind reports it. A subscription that begins while the machine goes to
    /// sleep hears that.
    ///
    /// - Ends: never.
    /// - Fails: when logind refuses the lock; when the bus cannot be reached or is lost.
    /// - Cancelling: releases the lock.
    /// - Buffers: 64 events while the observer pauses; the lock of a lost event is released.
    /// - Thread: `bus-events`.
    ///
    /// - Parameters:
    ///   - who: the name of the program that delays the sleep, for people who look at `systemd-inhibit --list`.
    ///   - why: the reason for the delay.
    public func sleep(who: String, why: String) -> some Signal<SleepEvent, DBusError> {
        Signals.create(of: SleepEvent.self, failure: DBusError.self, limit: 64) { [self] emitter in
            let state = DBusWatchState()
            SleepWatch(self, who: who, why: why, emitter, state).start()
            return ActionDisposable { state.stop() }
        }
        .deliver(on: ThreadScheduler.shared, limit: 64)
    }
}

/// A change of the machine's sleep.
public enum SleepEvent: Sendable, Hashable {
    /// It goes to sleep as soon as this delay, and those of other programs, are released.
    case goesToSleep(SleepDelay)
    /// It is awake again, or did not go to sleep after all.
    case isAwake
}

/// Keeps the machine from sleeping for a moment. The lock is released explicitly, or when this object is.
public final class SleepDelay: Sendable, Hashable {
    private let descriptor: Lock<DBusDescriptor?>

    init(_ descriptor: DBusDescriptor?) {
        self.descriptor = Lock(descriptor)
    }

    /// Lets the machine sleep. Further calls do nothing.
    public func release() {
        let descriptor = descriptor.withLock { $0.take() }
        // It is closed here, and not under the lock.
        withExtendedLifetime(descriptor) {}
    }

    public static func == (left: SleepDelay, right: SleepDelay) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
