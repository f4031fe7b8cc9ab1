#!/usr/bin/env bash
# Measures the library and the command line. Arguments go to the benchmark: --quick, --only NAME, --list, ...
# BUSCTL_RX names a command line to measure instead of the one that `make build` builds.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/deps.sh --test
swift=${SWIFT:-swift}
if [ -z "${BUSCTL_RX:-}" ]; then
    mapfile -t release < <(Scripts/release.sh)
    "$swift" build "${release[@]}" >&2
    BUSCTL_RX=$("$swift" build "${release[@]}" --show-bin-path)/busctl-rx
fi
export BUSCTL_RX
SWIFT_VERSION_TEXT=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p' | head -n 1)
export SWIFT_VERSION_TEXT

package=(--package-path Benchmarks -c release)
"$swift" build "${package[@]}" >&2
exec "$("$swift" build "${package[@]}" --show-bin-path)/busctl-rx-bench" "$@"
