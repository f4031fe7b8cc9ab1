#!/usr/bin/env bash
# Builds and runs the tests, and says where the time went.
# usage: Scripts/test.sh [--filter REGEX] [--skip REGEX] [--no-parallel]
#
# BUSCTL_RX_STRESS=N        the long form, N times as long (see `make stress`), of the suites that have one
# BUSCTL_RX_RUN_MINUTES=60  the one time limit, for the whole run; no test has a limit of its own. The long form has N times 120 more.
# BUSCTL_RX_CPU_LOOPS=N     fail if the tests, without the build, take more processor time than N times the longest of eight loops of half
#                           a million steps in bash, which tells how fast the machine is
# BUSCTL_RX_SANITIZER=thread  under Thread Sanitizer; address: under Address and Leak Sanitizer
set -uo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
minutes=${BUSCTL_RX_RUN_MINUTES:-$(awk -v n="${BUSCTL_RX_STRESS:-0}" 'BEGIN { printf "%d", 60 + 120 * n }')}
# A build of its own, without debug information and without an index of the sources (Tests/XCTMain.swift says what that would be
# for), which are a third of the time that it takes. A crash is reported with the names of functions and without lines;
# `swift test` by hand has them.
sanitizer=${BUSCTL_RX_SANITIZER:-}
scratch=.build/${sanitizer:-tests}
options=(--enable-all-traits --scratch-path "$scratch" --disable-index-store)
# A sanitizer's report names lines.
if [ -n "$sanitizer" ]; then options+=("--sanitize=$sanitizer"); else options+=(-debug-info-format none); fi
log=$scratch/test.log
mkdir -p "$scratch"

# Runs a command; its wall time and the processor time of it and all its children, in seconds, go into `wall` and `cpu`.
timed() {
    local TIMEFORMAT='%0R %0U %0S' user system status
    { time "$@" 2>&3; } 3>&2 2>"$scratch/time"
    status=$?
    read -r wall user system <"$scratch/time"
    cpu=$((user + system))
    return $status
}

# The package manager passes the traits on in the order in which a set has them, which changes from run to run unless this is
# set, and then builds everything anew.
build() { SWIFT_DETERMINISTIC_HASHING=1 "$swift" build "${options[@]}" "$@"; }
timed build --build-tests || exit 1
program=$(build --show-bin-path)/busctl-rxPackageTests.xctest
echo "== built in $wall s, $cpu s of processor time"

# As many tests at once as there are processors. Toolchains older than 6.3 do not know the variable and start all at once.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$(nproc)}
BUSCTL_RX_RUN_ENDS=$(($(date +%s) + minutes * 60))
export BUSCTL_RX_RUN_ENDS

# Of suites without a long form `make stress` would only repeat what `make test` has run.
if [ -n "${BUSCTL_RX_STRESS:-}" ] && [ $# -eq 0 ]; then
    suites=$(grep -rlE '\b(Stress|Residue|JournalFixtures)\.|deepRounds' Tests --include='*Tests.swift' |
        xargs grep -hoE '\b(struct|class|enum|actor) [A-Za-z]+Tests\b' | cut -d ' ' -f 2 | sort -u | paste -s -d '|')
    set -- --filter "[.](${suites:?})/"
fi

run() {
    timeout --kill-after=10 $((minutes * 60 + 60)) "$program" --testing-library swift-testing "$@" 2>&1 | tee "$log"
}
loop=0
measure() { # in milliseconds of processor time
    local time
    time=$(LC_ALL=C TIMEFORMAT=%3U; { time for ((step = 0; step < 500000; step++)); do :; done; } 2>&1)
    if ((10#${time/./} > loop)); then loop=$((10#${time/./})); fi
}
if [ -n "${BUSCTL_RX_CPU_LOOPS:-}" ]; then for _ in 1 2 3 4; do measure; done; fi
timed run "$@"
status=$?
echo "== tests ran for $wall s, $cpu s of processor time"

if [ $status -ne 0 ] && ! grep -q "Test run with [0-9]* test" "$log"; then
    [ $status -ne 124 ] && [ $status -ne 137 ] || echo "== the run took longer than $minutes minutes" >&2
    echo "== these tests had not ended (some only waited for their turn):" >&2
    sed -E 's/\x1b\[[0-9;]*m//g; s/^[^ ]+ //' "$log" | awk '
        / started\.$/ { sub(/ started\.$/, ""); running[$0] = 1; next }
        match($0, / (passed|failed) after| skipped/) { name = substr($0, 1, RSTART - 1); sub(/ with [0-9]+ test cases?$/, "", name); delete running[name] }
        END { for (name in running) if (name ~ /^Test / && name !~ /^Test case /) print "    " name }' >&2
fi
if [ $status -eq 0 ] && [ "$(date +%s)" -gt "$BUSCTL_RX_RUN_ENDS" ]; then
    echo "== the run took longer than $minutes minutes: tests gave up waiting, so what they passed may be nothing" >&2
    status=1
fi
if [ $status -ne 0 ]; then
    # Once more at the end, where one looks first: among thousands of lines nobody finds them.
    red=$(sed -E 's/\x1b\[[0-9;]*m//g' "$log" | grep -E -A1 '^✘ .* (recorded an issue|failed after)' | grep -E '^(✘|↳) ' | grep -vE '^✘ (Suite|Test run) ' | cut -c 1-1000 | head -n 100)
    [ -z "$red" ] || printf '== red:\n%s\n' "$red" >&2
fi
if [ $status -eq 0 ] && ! grep -q "Test run with [1-9][0-9]* test" "$log"; then
    echo "== no test ran" >&2
    status=1
fi
if [ $status -eq 0 ] && [ -n "${BUSCTL_RX_CPU_LOOPS:-}" ]; then
    # The same loop takes up to twice as long from one minute to the next on a machine that is shared: the longest of several counts.
    for _ in 1 2 3 4; do measure; done
    allowed=$((loop * BUSCTL_RX_CPU_LOOPS / 1000))
    if [ "$cpu" -gt "$allowed" ]; then
        echo "== the tests may take $allowed s of processor time on this machine and took $cpu; move what is long to \`make stress\`" >&2
        status=1
    fi
fi
exit $status
