// swift-tools-version: 6.2
import PackageDescription

// The targets, and which way they may depend, are drawn in ARCHITECTURE.md.
let package = Package(
    name: "busctl-rx",
    products: [
        .library(name: "Bus", targets: ["Bus"]),
        .library(name: "Timers", targets: ["Timers"]),
        .library(name: "Bridges", targets: ["Bridges"]),
        .library(name: "JournalBridge", targets: ["JournalBridge"]),
        .library(name: "OSSignalBridge", targets: ["OSSignalBridge"]),
        .library(name: "DispatchBridge", targets: ["DispatchBridge"]),
        .library(name: "DescriptorBridge", targets: ["DescriptorBridge"]),
        .library(name: "FileBridge", targets: ["FileBridge"]),
        .library(name: "ProcessBridge", targets: ["ProcessBridge"]),
        .library(name: "SystemdBridge", targets: ["SystemdBridge"]),
        .library(name: "NotificationBridge", targets: ["NotificationBridge"]),
        .library(name: "CallbackBridge", targets: ["CallbackBridge"]),
        .library(name: "ObservationBridge", targets: ["ObservationBridge"]),
        .library(name: "LoggingBridge", targets: ["LoggingBridge"]),
        .library(name: "LifecycleBridge", targets: ["LifecycleBridge"]),
        .library(name: "MetricsBridge", targets: ["MetricsBridge"]),
        .library(name: "FilterBridge", targets: ["FilterBridge"]),
        .library(name: "TapBridge", targets: ["TapBridge"]),
        .library(name: "DBusBridge", targets: ["DBusBridge"]),
        .library(name: "NATSBridge", targets: ["NATSBridge"]),
        .library(name: "LinkBridge", targets: ["LinkBridge"]),
        .library(name: "Filter", targets: ["Filter"]),
        .library(name: "Records", targets: ["Records"]),
        .library(name: "RecordSources", targets: ["RecordSources"]),
        .library(name: "Forwarding", targets: ["Forwarding"]),
        .library(name: "BusTesting", targets: ["BusTesting"]),
        .executable(name: "busctl-rx", targets: ["busctl-rx"]),
    ],
    traits: [
        .trait(
            name: "Logging",
            description: "`log(to:)` and JournalLogHandler in LoggingBridge, which then depends on swift-log."
        ),
        .trait(
            name: "ServiceLifecycle",
            description: "Signals as services in LifecycleBridge, which then depends on swift-service-lifecycle."
        ),
        .trait(
            name: "Metrics",
            description: "`metrics(named:)` in MetricsBridge, which then depends on swift-metrics."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        // C libraries and system calls.
        .systemLibrary(name: "CCompression", providers: [.apt(["liblz4-dev", "liblzma-dev", "libzstd-dev"])]),
        .target(name: "CCatalog"),
        .target(name: "CCurl"),
        .target(name: "CDBus"),
        .target(name: "CLinux"),
        .target(name: "CNATS"),
        .target(name: "CNcurses"),
        .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
        .target(
            name: "CVersion",
            cSettings: Context.environment["BUSCTL_RX_COMMIT"].map { [.define("CVERSION_COMMIT", to: "\"\($0)\"")] }
        ),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

        // The libraries.
        .target(
            name: "Bus",
            dependencies: [
                "CLinux", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .target(name: "Loop", dependencies: ["Bus", "CLinux"]),
        .target(name: "Zones"),
        .target(
            name: "Timers",
            dependencies: [
                "Bus", "Loop", "Zones", "CLinux", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(name: "JSONScan"),
        .target(name: "Filter", dependencies: ["CRE2", "JSONScan", "Zones"]),
        .target(
            name: "Records",
            dependencies: [
                "Bus", "Timers", "Zones", "JSONScan", .product(name: "DequeModule", package: "swift-collections"),
            ]
        ),
        .target(
            name: "JournalBridge",
            dependencies: [
                "Bus", "Loop", "Timers", "Records", "Filter", "CLinux", "CCatalog", "CCompression",
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/Journal"
        ),
        .target(
            name: "OSSignalBridge",
            dependencies: [
                "Bus", "Loop", "Records", "CLinux", .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/OSSignals"
        ),
        .target(
            name: "DescriptorBridge",
            dependencies: [
                "Bus", "Loop", "CLinux", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/Descriptors"
        ),
        .target(
            name: "FileBridge",
            dependencies: [
                "Bus", "Loop", "Records", "CLinux", .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/Files"
        ),
        .target(
            name: "ProcessBridge",
            dependencies: [
                "Bus", "Loop", "Timers", "Records", "CLinux", "DescriptorBridge",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/Processes"
        ),
        .target(
            name: "SystemdBridge",
            dependencies: [
                "Bus", "Loop", "Timers", "Records", "CLinux",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/Systemd"
        ),
        .target(
            name: "DispatchBridge",
            dependencies: ["Bus", "CLinux", .product(name: "SystemPackage", package: "swift-system")],
            path: "Sources/Bridges/Dispatch"
        ),
        .target(name: "NotificationBridge", dependencies: ["Bus"], path: "Sources/Bridges/Notifications"),
        .target(name: "CallbackBridge", dependencies: ["Bus"], path: "Sources/Bridges/Callbacks"),
        .target(name: "ObservationBridge", dependencies: ["Bus"], path: "Sources/Bridges/Observation"),
        .target(
            name: "FilterBridge",
            dependencies: ["Bus", "Timers", "Records", "Filter", "JournalBridge", "OSSignalBridge"],
            path: "Sources/Bridges/Filtering"
        ),
        .target(
            name: "TapBridge",
            dependencies: [
                "Bus", "Loop", "Timers", "Records", "JSONScan", "Filter", "CLinux", "DescriptorBridge",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/Tap"
        ),
        .target(
            name: "DBusBridge",
            dependencies: [
                "Bus", "Records", "CDBus", "CLinux", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/DBus"
        ),
        .target(
            name: "NATSBridge",
            dependencies: [
                "Bus", "Timers", "Records", "JSONScan", "CNATS",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            path: "Sources/Bridges/NATS"
        ),
        .target(
            name: "LinkBridge",
            dependencies: [
                "Bus", "JSONScan", "Loop", "Timers", "Records", "TapBridge", "NATSBridge",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            path: "Sources/Bridges/Link"
        ),
        .target(
            name: "RecordSources",
            dependencies: [
                "Bus", "Loop", "Timers", "Records", "Filter", "CLinux", "DBusBridge", "DescriptorBridge", "FileBridge",
                "FilterBridge", "JournalBridge", "NATSBridge", "OSSignalBridge", "ProcessBridge", "TapBridge",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/Sources"
        ),
        .target(
            name: "Forwarding",
            dependencies: [
                "Bus", "Loop", "Timers", "Records", "JSONScan", "CCurl", "JournalBridge", "NATSBridge", "RecordSources",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources/Bridges/Forwarding"
        ),
        .target(
            name: "LoggingBridge",
            dependencies: [
                "Bus", "Records", "SystemdBridge",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
            ],
            path: "Sources/Bridges/Logging"
        ),
        .target(
            name: "LifecycleBridge",
            dependencies: [
                "Bus", "Timers",
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])
                ),
            ],
            path: "Sources/Bridges/Lifecycle"
        ),
        .target(
            name: "MetricsBridge",
            dependencies: [
                "Bus", "Timers",
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ],
            path: "Sources/Bridges/Metrics"
        ),
        .target(
            name: "Bridges",
            dependencies: [
                "CallbackBridge", "DescriptorBridge", "DispatchBridge", "FileBridge", "FilterBridge", "JournalBridge",
                "LoggingBridge", "NotificationBridge", "OSSignalBridge", "ObservationBridge", "ProcessBridge",
                "SystemdBridge",
            ],
            path: "Sources/Bridges",
            exclude: [
                "Callbacks", "DBus", "Descriptors", "Dispatch", "Files", "Filtering", "Forwarding", "Journal",
                "Lifecycle",
                "Link", "Logging", "Metrics", "NATS", "Notifications", "OSSignals", "Observation", "Processes",
                "Sources",
                "Systemd", "Tap",
            ],
            sources: ["Bridges.swift"]
        ),
        .target(name: "BusTesting", dependencies: ["Bus", "Timers"]),

        // The command line.
        .target(name: "Terminal", dependencies: ["Filter", "CLinux", "CNcurses"]),
        .executableTarget(
            name: "busctl-rx",
            dependencies: [
                "Bus", "Loop", "Timers", "Records", "Filter", "Zones", "CLinux", "CVersion", "DBusBridge",
                "DescriptorBridge",
                "FileBridge", "FilterBridge", "Forwarding", "JournalBridge", "NATSBridge", "OSSignalBridge",
                "ProcessBridge",
                "RecordSources", "SystemdBridge", "TapBridge", "Terminal",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),

        // Tests: one target a module, most of them in the table at the end, and Integration for the real journald, signals and
        // binary.
        .testTarget(
            name: "TimersTests",
            dependencies: ["Bus", "Loop", "Timers", "Zones", "BusTesting", "TestSupport"],
            resources: [.copy("Calendar/Recorded")]
        ),
        .testTarget(
            name: "FilterTests",
            dependencies: ["Filter", "TestSupport"],
            resources: [.copy("Conformance")]
        ),
        .testTarget(
            name: "LifecycleBridgeTests",
            dependencies: [
                "Bus", "Timers", "LifecycleBridge", "BusTesting", "TestSupport",
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])
                ),
                .product(
                    name: "ServiceLifecycleTestKit",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])
                ),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["ServiceLifecycle"])),
            ]
        ),
        .testTarget(
            name: "MetricsBridgeTests",
            dependencies: [
                "Bus", "Timers", "MetricsBridge", "BusTesting", "TestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ]
        ),
        .testTarget(
            name: "LoggingBridgeTests",
            dependencies: [
                "Bus", "LoggingBridge", "BusTesting", "TestSupport",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
            ]
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "busctl-rx", "Bus", "Timers", "Records", "Filter", "FileBridge", "Forwarding", "JournalBridge",
                "NATSBridge",
                "RecordSources", "Terminal", "BusTesting", "TestSupport", "JournalWriter",
            ]
        ),
        .testTarget(
            name: "Integration",
            dependencies: [
                "busctl-rx", "signal-probe", "systemd-probe", "unitwatch", "fleet-sensor", "fleet-guard", "fleet-pager",
                "Bus", "Timers", "Records", "Filter", "Bridges", "TapBridge", "DBusBridge", "LinkBridge", "NATSBridge",
                "Forwarding", "RecordSources", "BusTesting", "TestSupport", "JournalWriter", "CDBus", "CLinux",
                "CSystemd",
            ]
        ),

        // What they need: libsystemd as the judge of journals, sockets to listen at, journal files, and processes to send signals
        // to and to look at.
        .target(
            name: "TestSupport",
            dependencies: [
                "Bus", "BusTesting", "Loop", "Timers", "Records", "CLinux",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/TestSupport"
        ),
        .target(name: "JournalWriter", dependencies: ["CCompression"], path: "Tests/JournalWriter"),
        .executableTarget(
            name: "signal-probe",
            dependencies: [
                "OSSignalBridge", "Bus", "Loop", "Timers", "CLinux",
                .product(
                    name: "UnixSignals",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])
                ),
            ],
            path: "Tests/SignalProbe"
        ),
        .executableTarget(
            name: "systemd-probe",
            dependencies: [
                "Bus", "Records", "SystemdBridge", "Timers", .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/SystemdProbe"
        ),
        .executableTarget(name: "screen-probe", dependencies: ["Terminal"], path: "Tests/ScreenProbe"),
        .executableTarget(name: "bus-storm", dependencies: ["Bus", "TestSupport"], path: "Tests/BusStorm"),
        // The examples, which have packages of their own for their readers; built here for their tests.
        .executableTarget(
            name: "unitwatch",
            dependencies: [
                "Bus", "Timers", "Filter", "FilterBridge", "Forwarding", "Bridges", "Records", "RecordSources",
                "TapBridge",
            ],
            path: "Examples/Daemon/Sources/unitwatch"
        ),
        .executableTarget(
            name: "unitstate",
            dependencies: ["Bus", "Timers", "DBusBridge", "OSSignalBridge"],
            path: "Examples/UnitState/Sources/unitstate"
        ),
        .executableTarget(
            name: "nightjob",
            dependencies: ["Bus", "Timers", "NATSBridge", "OSSignalBridge"],
            path: "Examples/Nightjob/Sources/nightjob"
        ),
        .target(
            name: "Fleet",
            dependencies: ["Bus", "LinkBridge", "OSSignalBridge"],
            path: "Examples/Fleet/Sources/Fleet"
        ),
    ]
        + ["fleet-sensor", "fleet-guard", "fleet-pager"].map { name in
            .executableTarget(
                name: name,
                dependencies: ["Bus", "Timers", "LinkBridge", "Fleet"],
                path: "Examples/Fleet/Sources/\(name)"
            )
        }
        // What the tests of a module need besides it, Bus, BusTesting and TestSupport.
        + [
            ("Bus", ["Timers"]), ("BusTesting", ["Timers"]), ("Zones", []), ("Loop", ["CLinux"]),
            ("Records", ["Timers"]),
            ("Bridges", ["Timers", "JournalBridge", "NotificationBridge", "OSSignalBridge", "SystemdBridge"]),
            ("CallbackBridge", []), ("DBusBridge", ["unitstate"]),
            ("DescriptorBridge", ["Loop", "Timers", "CLinux"]), ("DispatchBridge", ["CLinux"]),
            ("FileBridge", ["Loop", "Timers", "DescriptorBridge"]),
            (
                "FilterBridge",
                ["Timers", "Records", "Filter", "Bridges", "JournalBridge", "OSSignalBridge", "ProcessBridge"]
            ),
            ("JournalBridge", ["Records", "Filter", "JournalWriter"]), ("NotificationBridge", []),
            ("OSSignalBridge", ["Loop", "Timers"]), ("ObservationBridge", ["DispatchBridge"]),
            (
                "ProcessBridge",
                ["Timers", "CLinux", "DescriptorBridge", "FileBridge", "ObservationBridge", "SystemdBridge"]
            ),
            ("SystemdBridge", ["Timers", "Records"]), ("TapBridge", ["Timers", "Records", "Filter", "CLinux"]),
            ("NATSBridge", ["Timers", "CLinux", "nightjob"]),
            ("LinkBridge", ["Timers", "Records", "TapBridge", "NATSBridge"]),
            ("RecordSources", ["Timers", "Records", "Filter", "FilterBridge", "JournalBridge", "ProcessBridge"]),
            ("Forwarding", ["JournalBridge", "NATSBridge", "RecordSources"]),
            ("Terminal", ["CNcurses", "screen-probe"]),
        ].map { module, others in
            .testTarget(
                name: "\(module)Tests",
                dependencies: Set([module, "Bus", "BusTesting", "TestSupport"] + others).sorted().map {
                    .byName(name: $0)
                }
            )
        },
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// One loop, so that no target is left out.
for target in package.targets where target.type != .system && target.type != .plugin {
    var settings = target.swiftSettings ?? []
    settings += [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if Context.environment["BUSCTL_RX_STRICT"] != nil {
        settings.append(.treatAllWarnings(as: .error))
    }
    target.swiftSettings = settings
}
