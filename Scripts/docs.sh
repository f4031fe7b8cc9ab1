#!/usr/bin/env bash
# Builds the documentation of all libraries into one site, .docs/. A warning, such as a link to nowhere, is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
docc=$(dirname "$(readlink -f "$(command -v "$swift")")")/docc
graphs=$PWD/.build/symbol-graphs
archives=$PWD/.build/doc-archives
# A build of its own and from nothing: a module that is up to date writes no symbols.
rm -rf "$graphs" "$archives" .docs .build/docs
mkdir -p "$graphs" "$archives"
"$swift" build --enable-all-traits --scratch-path .build/docs \
    -Xswiftc -emit-symbol-graph -Xswiftc -emit-extension-block-symbols \
    -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs"

# Each page may link to the libraries that were converted before it, as <doc:/Bus/BackPressure>.
dependencies=()
built=()
convert() { # a name, its bundle identifier, the folder of its articles or nothing, and options
    local name=$1 identifier=$2 catalog=$3
    shift 3
    "$docc" convert ${catalog:+"$catalog"} --fallback-display-name "$name" --fallback-bundle-identifier "$identifier" \
        --output-dir "$archives/$name.doccarchive" --enable-experimental-external-link-support \
        "${dependencies[@]}" "$@" --warnings-as-errors
    dependencies+=(--dependency "$archives/$name.doccarchive")
    built+=("$archives/$name.doccarchive")
}
for module in Bus Timers Filter Records BusTesting JournalBridge OSSignalBridge DispatchBridge DescriptorBridge FileBridge \
    ProcessBridge SystemdBridge NotificationBridge CallbackBridge ObservationBridge FilterBridge LifecycleBridge \
    MetricsBridge LoggingBridge TapBridge DBusBridge NATSBridge LinkBridge RecordSources Forwarding; do
    own=$graphs/$module
    mkdir -p "$own"
    mv "$graphs/$module".symbols.json "$graphs/$module"@*.symbols.json "$own" 2>/dev/null || true
    convert "$module" "busctl-rx.$module" "$(find Sources -name "$module.docc" -type d)" --additional-symbol-graph-dir "$own"
done
convert busctl-rx busctl-rx.site docs/busctl-rx.docc

"$docc" merge "${built[@]}" --synthesized-landing-page-name busctl-rx --output-path .docs
# The page at the root would be blank, and the one of all documentation a list of names: both lead to the first page.
lead() { # a page, and the first page as seen from it
    cat > ".docs/$1" <<PAGE
<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=$2">
<title>busctl-rx</title>
<a href="$2">busctl-rx</a>
PAGE
}
lead index.html documentation/busctl-rx/
lead documentation/index.html busctl-rx/
echo "The documentation is in .docs. A browser needs it served:"
echo "    python3 -m http.server --directory .docs --bind 127.0.0.1 8080"
echo "Then open http://127.0.0.1:8080/. \`make check-docs\` opens it in headless Chromium."
