#!/usr/bin/env bash
# Shows three daemons on one bus. As root each has a network namespace of its own, as if on a machine of its own, and a bridge joins
# them to the one of nats-server; otherwise, and with --loopback, all use the loopback address.
#
#   run.sh [--loopback] [SECONDS]      FLEET_BIN=FOLDER: where the daemons are, if they are built already
set -euo pipefail
cd "$(dirname "$0")"

loopback=0
if [ "${1:-}" = --loopback ]; then
    loopback=1
    shift
fi
seconds=${1:-10}
case $seconds in '' | *[!0-9]*) echo "usage: run.sh [--loopback] [SECONDS]" >&2; exit 2 ;; esac
if [ "$loopback" = 0 ] && [ "$(id -u)" != 0 ]; then
    echo "run.sh: network namespaces need root; all daemons use the loopback address instead" >&2
    loopback=1
fi
need() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] || { echo "run.sh: $1 is missing ($2)" >&2; exit 1; }; }
PATH=$PATH:/usr/sbin:/sbin
need nats-server "on Debian: apt-get install nats-server"
[ "$loopback" = 1 ] || need ip "on Debian: apt-get install iproute2"

bin=${FLEET_BIN:-}
if [ -z "$bin" ]; then
    swift build --quiet
    bin=$(swift build --show-bin-path)
fi

# Of this run alone, so that several can run at once.
id=$$
folder=$(mktemp -d)
children=()
spaces=()
cleanup() {
    trap - EXIT
    # The daemons before their server.
    for ((index = ${#children[@]} - 1; index >= 0; index--)); do
        kill "${children[index]}" 2>/dev/null || true
        wait "${children[index]}" 2>/dev/null || true
    done
    for space in "${spaces[@]}"; do ip netns delete "$space" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# inside NAME COMMAND...: runs a command in the namespace of that name.
inside() {
    local name=$1
    shift
    if [ "$loopback" = 1 ]; then exec "$@"; else exec ip netns exec "fleet$id-$name" "$@"; fi
}

if [ "$loopback" = 1 ]; then
    host=127.0.0.1
    port=-1
else
    # The hub has the bridge; each daemon has a cable to it.
    host=10.213.0.1
    port=4222
    ip netns add "fleet$id-hub"
    spaces+=("fleet$id-hub")
    ip -n "fleet$id-hub" link add hub type bridge
    ip -n "fleet$id-hub" addr add "$host/24" dev hub
    ip -n "fleet$id-hub" link set hub up
    number=1
    for name in sensor guard pager; do
        number=$((number + 1))
        ip netns add "fleet$id-$name"
        spaces+=("fleet$id-$name")
        ip -n "fleet$id-hub" link add "$name" type veth peer name eth0 netns "fleet$id-$name"
        ip -n "fleet$id-hub" link set "$name" master hub up
        ip -n "fleet$id-$name" addr add "10.213.0.$number/24" dev eth0
        ip -n "fleet$id-$name" link set eth0 up
    done
fi

(inside hub nats-server -a "$host" -p "$port" --ports_file_dir "$folder") >"$folder/server.log" 2>&1 &
server=$!
children+=("$server")
# The file is there when the server listens.
until compgen -G "$folder/nats-server_*.ports" >/dev/null; do
    kill -0 "$server" 2>/dev/null || { cat "$folder/server.log" >&2; exit 1; }
    sleep 0.1
done
if [ "$loopback" = 1 ]; then
    port=$(grep -o 'nats://[^"]*' "$folder"/nats-server_*.ports | head -1 | sed 's/.*://')
fi
export FLEET_BUS=nats://$host:$port/fleet
echo "the bus is $FLEET_BUS"

(inside pager "$bin/fleet-pager") &
children+=($!)
(inside guard "$bin/fleet-guard") &
children+=($!)
(inside sensor "$bin/fleet-sensor" kitchen) &
children+=($!)
sleep "$seconds"
