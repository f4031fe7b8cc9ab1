// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that the libraries used for comparison never become a dependency of anyone.
let package = Package(
    name: "busctl-rx-benchmarks",
    dependencies: [
        .package(name: "busctl-rx", path: "..", traits: ["Metrics"]),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
    ],
    targets: [
        .executableTarget(
            name: "busctl-rx-bench",
            dependencies: [
                "NATSFloor",
                .product(name: "Bus", package: "busctl-rx"),
                .product(name: "CallbackBridge", package: "busctl-rx"),
                .product(name: "DBusBridge", package: "busctl-rx"),
                .product(name: "DescriptorBridge", package: "busctl-rx"),
                .product(name: "DispatchBridge", package: "busctl-rx"),
                .product(name: "FileBridge", package: "busctl-rx"),
                .product(name: "Filter", package: "busctl-rx"),
                .product(name: "Forwarding", package: "busctl-rx"),
                .product(name: "JournalBridge", package: "busctl-rx"),
                .product(name: "MetricsBridge", package: "busctl-rx"),
                .product(name: "NATSBridge", package: "busctl-rx"),
                .product(name: "NotificationBridge", package: "busctl-rx"),
                .product(name: "OSSignalBridge", package: "busctl-rx"),
                .product(name: "RecordSources", package: "busctl-rx"),
                .product(name: "Records", package: "busctl-rx"),
                .product(name: "SystemdBridge", package: "busctl-rx"),
                .product(name: "TapBridge", package: "busctl-rx"),
                .product(name: "Timers", package: "busctl-rx"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),

        // The least work of a journal reader with libsystemd, in C.
        .executableTarget(name: "journal-floor", linkerSettings: [.linkedLibrary("systemd")]),

        // The least work of a D-Bus monitor with libsystemd.
        .executableTarget(name: "dbus-floor", linkerSettings: [.linkedLibrary("systemd")]),

        // The least work of a publisher and a subscriber with libnats.
        .target(name: "NATSFloor", path: "Sources/nats-floor", linkerSettings: [.linkedLibrary("nats")]),

        // A receiver over HTTP that only acknowledges.
        .executableTarget(name: "acknowledge"),

        // Jobs that wait, in a process of their own.
        .executableTarget(
            name: "many-jobs",
            dependencies: [.product(name: "Bus", package: "busctl-rx"), .product(name: "Timers", package: "busctl-rx")]
        ),

        // Runs a command and records what it used.
        .executableTarget(name: "measured"),
    ],
    swiftLanguageModes: [.v6]
)
