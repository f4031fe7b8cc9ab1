#!/usr/bin/env bash
# Feeds the filter language with random expressions and records, all other readers of texts and of a tap's frames with damaged ones,
# and the reader of journal files with damaged files, for some minutes each, under Address Sanitizer.
# FILTER_FUZZ_SECONDS, TEXT_FUZZ_SECONDS (for each reader), TAP_FUZZ_SECONDS and JOURNAL_FUZZ_SECONDS say for how much processor time (120; 10 for
# a reader of texts), FILTER_FUZZ_SEED and so on where it begins; by default somewhere else every time.
set -euo pipefail
cd "$(dirname "$0")/.."

export FILTER_FUZZ_SECONDS=${FILTER_FUZZ_SECONDS:-120}
export FILTER_FUZZ_SEED=${FILTER_FUZZ_SEED:-$RANDOM$RANDOM}
export TEXT_FUZZ_SECONDS=${TEXT_FUZZ_SECONDS:-$(((FILTER_FUZZ_SECONDS + 11) / 12))}
export TEXT_FUZZ_SEED=${TEXT_FUZZ_SEED:-$FILTER_FUZZ_SEED}
export TAP_FUZZ_SECONDS=${TAP_FUZZ_SECONDS:-$FILTER_FUZZ_SECONDS}
export TAP_FUZZ_SEED=${TAP_FUZZ_SEED:-$FILTER_FUZZ_SEED}
export JOURNAL_FUZZ_SECONDS=${JOURNAL_FUZZ_SECONDS:-$FILTER_FUZZ_SECONDS}
export JOURNAL_FUZZ_SEED=${JOURNAL_FUZZ_SEED:-$FILTER_FUZZ_SEED}
# A trap is to be told with its stack by the sanitizer: Swift's own handler trips over it.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:handle_sigill=1:handle_sigtrap=1}
export SWIFT_BACKTRACE=${SWIFT_BACKTRACE:-enable=no}

echo "fuzzing the filter from seed $FILTER_FUZZ_SEED, texts from $TEXT_FUZZ_SEED, frames from $TAP_FUZZ_SEED, journals from $JOURNAL_FUZZ_SEED" >&2
# One after the other: the processor time of the one is not that of the other.
BUSCTL_RX_SANITIZER=address exec Scripts/test.sh --no-parallel \
    --filter 'FilterTests.FuzzTests|CommandTests.HostileTextTests|TapBridgeTests.TapFuzzTests|Integration.JournalFuzzTests'
