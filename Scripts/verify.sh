#!/usr/bin/env bash
# Checks the models with Spin, in all their interleavings, and that each of their faults is found.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/models
mkdir -p "$folder"

# The number of errors that Spin finds in a model with these definitions. A search that is cut short is no answer.
errors() {
    local model=$1 output
    shift
    (cd "$folder" && spin "$@" -a "../../Models/$model.pml" && cc -O2 -w -DSAFETY -o pan pan.c) >&2
    # It writes what leads to an error beside itself.
    output=$(cd "$folder" && ./pan -m10000000)
    if grep -q "max search depth too small\|out of memory" <<<"$output"; then
        echo "$model $*: the search was cut short" >&2
        exit 1
    fi
    sed -n 's/.*errors: \([0-9]*\).*/\1/p' <<<"$output"
}

check() { # a model, how many faults it has, and what else defines the form to check
    local model=$1 faults=$2 fault found
    shift 2
    found=$(errors "$model" -DBREAK=0 "$@")
    [ "$found" = 0 ] || { echo "$model $*: $found errors" >&2; exit 1; }
    for ((fault = 1; fault <= faults; fault++)); do
        found=$(errors "$model" -DBREAK=$fault "$@")
        [ "$found" != 0 ] || { echo "$model $*: fault $fault is not found" >&2; exit 1; }
    done
    if [ "$faults" = 0 ]; then echo "$model $*: holds"; else echo "$model $*: holds; its $faults faults are found"; fi
}

check lock 4
# A thread that may wake for no reason hides the faults that leave it asleep.
check lock 0 -DSPURIOUS
check turn 8
check handover 4
check pause 5
check queue 7
check job 4
check lease 4
