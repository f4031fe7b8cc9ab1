#!/usr/bin/env bash
# Fails when a module imports what it must not: the libraries below Bridges know neither Foundation nor Dispatch, and the
# command line starts without either.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
forbid() { # words, folders
    local words=$1
    shift
    if grep -rnE "^(public |package |internal |@_exported )*import ($words)\b" "$@" --include='*.swift'; then
        echo "must not be imported there: $words" >&2
        status=1
    fi
}
forbid 'Foundation|FoundationEssentials|Dispatch' \
    Sources/Bus Sources/Loop Sources/Zones Sources/Timers Sources/JSONScan Sources/Records Sources/Filter Sources/Terminal Sources/BusTesting Sources/busctl-rx \
    Sources/Bridges/Filtering Sources/Bridges/Journal Sources/Bridges/OSSignals Sources/Bridges/Descriptors \
    Sources/Bridges/Files Sources/Bridges/Processes Sources/Bridges/Systemd Sources/Bridges/Callbacks \
    Sources/Bridges/Observation Sources/Bridges/Logging Sources/Bridges/Lifecycle Sources/Bridges/Metrics \
    Sources/Bridges/Tap Sources/Bridges/DBus Sources/Bridges/NATS Sources/Bridges/Sources Sources/Bridges/Forwarding
# For JSON it has FoundationEssentials.
forbid 'Foundation|Dispatch' Sources/Bridges/Link
forbid 'Loop|Zones|Timers|Filter|JournalBridge|BusTesting' Sources/Bus
forbid 'Zones|Timers|Filter|JournalBridge|BusTesting' Sources/Loop
forbid 'Bus|Loop|Timers|Filter|JournalBridge|BusTesting' Sources/Zones
forbid 'Timers' Sources/Bridges/Descriptors Sources/Bridges/Files Sources/Bridges/OSSignals Sources/Bridges/Dispatch
forbid 'Bus|Timers|Records|JournalBridge|FilterBridge|TapBridge' Sources/Filter Sources/Terminal
# Nobody who embeds another bridge should need what this one needs.
forbid 'TapBridge|DBusBridge|NATSBridge|LinkBridge|RecordSources|Forwarding' $(ls -d Sources/Bridges/* | grep -vE "Sources/Bridges/(Link|Sources|Forwarding)") Sources/Records Sources/Timers Sources/Loop Sources/Bus
forbid 'Bus|Loop|Timers|Records|Filter|JournalBridge|BusTesting' Sources/JSONScan
forbid 'Filter|JournalBridge|FilterBridge|BusTesting' Sources/Records
forbid 'Filter|JournalBridge|BusTesting' Sources/Timers
# It builds with glibc 2.34 (RHEL 9) and 2.35 (Ubuntu 22.04).
if grep -rnE '#include <sys/pidfd.h>' Sources; then
    echo "needs glibc 2.36" >&2
    status=1
fi
exit $status
