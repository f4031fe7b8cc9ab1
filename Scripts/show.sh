#!/usr/bin/env bash
# Shows `busctl-rx tail` at work: on this machine's journal, or on the sample that ships with it.
# usage: Scripts/show.sh path/to/busctl-rx
set -euo pipefail
tail=$1
cd "$(dirname "$0")/.."
sample=Examples/sample.export
export BUSCTL_RX_CONFIG= SYSTEMD_PAGER=

show() {
    printf '\n$ busctl-rx'
    for word in "$@"; do
        case $word in *[!A-Za-z0-9:./_-]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    local status=0
    "$tail" "$@" || status=$?
    # 1 says that nothing matched, which on a quiet machine is no failure; 130 that it was ended by hand.
    case $status in 0 | 1 | 130) ;; *) exit "$status" ;; esac
}

if "$tail" tail --no-follow --count 1 >/dev/null 2>&1; then
    echo "Entries of this machine's journal, through filter expressions:"
    show tail -n 5 --no-follow 'priority <= warning'
    show tail -n 1 --no-follow -o json 'pid == 1 || identifier == "kernel"'
    if [ -t 1 ]; then
        echo
        echo "And as they come (Ctrl-C ends it):"
        show tail -n 10 'priority <= info'
    else
        show tail -n 10 --no-follow 'priority <= info'
    fi
else
    echo "This machine has no journal that can be read here, so these are entries of the sample that ships with"
    echo "busctl-rx (Examples/sample.export), through filter expressions:"
    show tail --from "export:$sample" 'priority <= warning'
    show tail --from "export:$sample" 'unit == "nginx.service" && message =~ "timed?.?out"'
    show tail --from "export:$sample" -o json --count 1 'priority <= err and not identifier.startsWith("kernel")'
fi
