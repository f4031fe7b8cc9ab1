#!/usr/bin/env bash
# Runs a command, such as the tests of D-Bus, with dbus-broker in place of the dbus-daemons that the tests start. As root, because
# dbus-broker expects systemd's socket for log messages, which is stood in for where systemd does not run.
# usage: Scripts/with-dbus-broker.sh COMMAND [ARGUMENT...]
set -euo pipefail

# As dbus-daemon(1): --config-file=FILE, and the bus's address on standard output once it listens.
if [ "$(basename "$0")" = bus ]; then
    for option in "$@"; do
        case $option in --config-file=*) configuration=${option#*=} ;; esac
    done
    socket=$(dirname "$configuration")/socket
    (
        until [ -S "$socket" ]; do sleep 0.01; done
        echo "unix:path=$socket"
    ) &
    # So that all of it ends when this process is killed.
    exec unshare --pid --fork --kill-child --mount-proc \
        systemd-socket-activate --listen="$socket" -E DBUS_SESSION_BUS_ADDRESS \
        dbus-broker-launch --config-file="$configuration" --scope user 2> /dev/null
fi

if [ "${WITHIN:-}" != 1 ]; then
    WITHIN=1 exec unshare --mount "$0" "$@"
fi
folder=$(mktemp -d)
ended() {
    kill "${children[@]}" 2> /dev/null || true
    rm -rf "$folder"
}
children=()
trap ended EXIT
mkdir -p /run/systemd
mount -t tmpfs tmpfs /run/systemd
mkdir -p /run/systemd/journal
# It waits until its messages are taken.
python3 -c '
import socket
log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
log.bind("/run/systemd/journal/socket")
while True: log.recv(65536)
' &
children+=($!)
cp "$0" "$folder/bus"
# dbus-broker-launch asks a bus for systemd, and does without when nobody answers.
dbus-daemon --session --nofork --nopidfile --address="unix:path=$folder/session" 2> /dev/null &
children+=($!)
until [ -S "$folder/session" ] && [ -S /run/systemd/journal/socket ]; do sleep 0.01; done
export DBUS_SESSION_BUS_ADDRESS=unix:path=$folder/session
BUSCTL_RX_TEST_BUS=$folder/bus "$@"
