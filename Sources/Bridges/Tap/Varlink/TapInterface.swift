/// A tap's description of itself. A change that clients must know of changes ``version``.
enum TapInterface {
    static let name = "org.busctl-rx.Tap"
    static let serviceName = "org.varlink.service"
    static let version = "1"

    static func description(of interface: String) -> String? {
        switch interface {
        case name: text
        case serviceName: serviceText
        default: nil
        }
    }

    static let text = """
        # The events on the notification bus of a running program.
        interface org.busctl-rx.Tap

        type Topic (
          name: string,
          type: string,
          posted: int,
          subscribers: int,
          pattern_subscribers: int,
          kept: int,
          lost: int
        )

        type Position (
          topic: string,
          sequence: int
        )

        # Who subscribed to a topic or a pattern, where in the program, and how it fares. Times are in nanoseconds.
        # "paused" and "lag" are there while it has no room, and while values wait.
        type Subscriber (
          topic: string,
          scope: string,
          file: string,
          line: int,
          waiting: int,
          limit: int,
          high_water: int,
          paused: ?int,
          lag: ?int,
          lost: int,
          delivered: ?int
        )

        type Subscription (
          chain: string,
          file: string,
          line: int
        )

        # One running call of Watch. "waiting" is in bytes.
        type Watcher (
          pid: int,
          uid: int,
          pattern: string,
          sent: int,
          lost: int,
          waiting: int
        )

        # A job that the program runs. Times are in nanoseconds since 1970; "last_time" is the one that the last run was for.
        # "schedule" is missing for one-shots. "lease" is there if the job has one, and "grant" while it is held.
        # "holder" is there while it is wanted, if the lease knows who has it: a host and a process.
        type Job (
          name: string,
          schedule: ?string,
          running: int,
          waiting: int,
          missed: int,
          next: ?int,
          last: ?string,
          last_time: ?int,
          lease: ?(held, wanted, unreachable, idle),
          grant: ?int,
          holder: ?string,
          fault: ?string
        )

        # The topics whose names match the pattern and come after the name, in order. There are more when "more" says so.
        method Topics(pattern: ?string, after: ?string) -> (
          topics: []Topic,
          more: bool
        )

        # What is posted from now on. Called with "more". With "announce" the first reply is of the kind "begin". With the framing
        # "compact" it is, too; it names the framing, and frames follow it up to the end of the watch. Once
        # the bus is closed, the only reply is "end". Of each reply only the members of its kind are there:
        #   begin     framing, if it is "compact"
        #   event     topic, sequence, time, uptime, scope, origin, type, and value, or truncated, or error
        #   gap       lost, reason
        #   position  positions
        #   end       reason
        method Watch(pattern: ?string, filter: ?string, count: ?int, seconds: ?int, buffer: ?int, announce: ?bool, framing: ?(json, compact)) -> (
          kind: (begin, event, gap, position, end),
          topic: ?string,
          sequence: ?int,
          time: ?int,
          uptime: ?int,
          scope: ?string,
          origin: ?string,
          type: ?string,
          value: ?object,
          text: ?string,
          truncated: ?bool,
          error: ?string,
          lost: ?int,
          reason: ?string,
          positions: ?[]Position,
          framing: ?(json, compact)
        )

        # The program at this moment. "uptime" is the time since the tap was opened and "now" the time of CLOCK_MONOTONIC,
        # both in nanoseconds. The subscribers that lost most, lag most and have most waiting come first. A program that is
        # built for release lists its subscriptions only if it asked for that when it started.
        method Inspect() -> (
          product: string,
          version: string,
          pid: int,
          uptime: int,
          now: int,
          timers: int,
          subscription_count: int,
          unheard_losses: int,
          topics: []Topic,
          topics_more: bool,
          subscribers: []Subscriber,
          subscribers_more: bool,
          subscriptions: []Subscription,
          subscriptions_more: bool,
          watches: []Watcher,
          watches_more: bool,
          jobs: []Job,
          jobs_more: bool
        )

        # Posts a value on a topic for which the program allows it.
        method Post(topic: string, value: object) -> ()

        error InvalidMessage (reason: string)
        error MessageTooLong (limit: int)
        error TooManyConnections (limit: int)
        error InvalidFilter (message: string, line: int, column: int, over_limit: bool)
        error FilterTooCostly ()
        error PostingNotAllowed (topic: string)
        error InvalidValue (topic: string, reason: string)

        """

    private static let serviceText = """
        # The varlink service interface, which every varlink service has.
        interface org.varlink.service

        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        method GetInterfaceDescription(interface: string) -> (description: string)

        error InterfaceNotFound (interface: string)
        error MethodNotFound (method: string)
        error MethodNotImplemented (method: string)
        error InvalidParameter (parameter: string)
        error PermissionDenied ()
        error ExpectedMore ()

        """
}
