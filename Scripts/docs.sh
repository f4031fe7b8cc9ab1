#!/usr/bin/env bash
# Builds the documentation of every library into .docs/, a folder for each.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
docc=$(dirname "$(readlink -f "$(command -v "$swift")")")/docc
graphs=$PWD/.build/symbol-graphs
# A build of its own and from nothing: a module that is up to date writes no symbols.
rm -rf "$graphs" .docs .build/docs
mkdir -p "$graphs" .docs
"$swift" build --enable-all-traits --scratch-path .build/docs \
    -Xswiftc -emit-symbol-graph -Xswiftc -emit-extension-block-symbols \
    -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs"
for module in Bus Timers Filter Records BusTesting JournalBridge OSSignalBridge DispatchBridge DescriptorBridge FileBridge \
    ProcessBridge SystemdBridge NotificationBridge CallbackBridge ObservationBridge FilterBridge LifecycleBridge \
    MetricsBridge LoggingBridge TapBridge; do
    own=$graphs/$module
    mkdir -p "$own"
    mv "$graphs/$module".symbols.json "$graphs/$module"@*.symbols.json "$own" 2>/dev/null || true
    catalog=$(find Sources -name "$module.docc" -type d)
    "$docc" convert ${catalog:+"$catalog"} --fallback-display-name "$module" \
        --fallback-bundle-identifier "busctl-rx.$module" \
        --additional-symbol-graph-dir "$own" --output-dir ".docs/$module" --warnings-as-errors
    echo ".docs/$module"
done
