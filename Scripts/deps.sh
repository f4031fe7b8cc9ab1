#!/usr/bin/env bash
# Installs the system packages that are missing, or says exactly what to install.
# usage: Scripts/deps.sh [--test | --verify | --install | --deb | --check-deb | --machine]
set -euo pipefail

missing=()
need() { # package, and a test that succeeds when it is there
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || missing+=("$package")
}

if ! command -v "${SWIFT:-swift}" >/dev/null; then
    echo "No Swift toolchain found. Install Swift 6.2 or later: https://www.swift.org/install/linux/" >&2
    exit 1
fi

need pkg-config command -v pkg-config
need libsystemd-dev test -e /usr/include/systemd/sd-journal.h
need libre2-dev test -e /usr/include/re2/re2.h
need liblz4-dev test -e /usr/include/lz4.h
need liblzma-dev test -e /usr/include/lzma.h
need libzstd-dev test -e /usr/include/zstd.h
if [ "${1:-}" = --test ]; then
    need systemd test -x /lib/systemd/systemd-journald
    need systemd-journal-remote test -x /lib/systemd/systemd-journal-remote
    need openssh-client command -v ssh
    need openssh-server test -x /usr/sbin/sshd
    need curl command -v curl
    need openssl command -v openssl
    need dbus-daemon command -v dbus-daemon
    need dbus-bin command -v dbus-send
    need nats-server test -x /usr/sbin/nats-server
    need libnats-dev test -e /usr/include/nats/nats.h
    need libglib2.0-bin command -v gdbus
    need tmux command -v tmux
    need libncurses-dev test -e /usr/include/curses.h
    need libdeflate0 sh -c '/sbin/ldconfig -p | grep libdeflate.so.0'
fi
if [ "${1:-}" = --verify ]; then
    need spin command -v spin
    need gcc command -v cc
    need libc6-dev test -e /usr/include/stdio.h
fi
case ${1:-} in --test | --install | --deb) need python3 command -v python3 ;; esac
if [ "${1:-}" = --deb ]; then
    need dpkg-dev command -v dpkg-shlibdeps
fi
if [ "${1:-}" = --check-deb ]; then
    need debootstrap command -v debootstrap
    need lintian command -v lintian
    need systemd-journal-remote test -x /lib/systemd/systemd-journal-remote
fi
if [ "${1:-}" = --machine ]; then
    need qemu-system-x86 command -v qemu-system-x86_64
    need qemu-utils command -v qemu-img
    need mmdebstrap command -v mmdebstrap
    need python3 command -v python3
fi
[ ${#missing[@]} -eq 0 ] && exit 0

if command -v apt-get >/dev/null; then
    install=(apt-get install -y --no-install-recommends "${missing[@]}")
    update="apt-get update"
elif command -v dnf >/dev/null; then
    # Fedora has other names for the packages that building needs.
    declare -A names=([pkg-config]=pkgconf-pkg-config [libsystemd-dev]=systemd-devel [libre2-dev]=re2-devel [liblz4-dev]=lz4-devel
        [liblzma-dev]=xz-devel [libzstd-dev]=libzstd-devel [libncurses-dev]=ncurses-devel [openssh-client]=openssh-clients)
    install=(dnf install -y)
    for package in "${missing[@]}"; do install+=("${names[$package]:-$package}"); done
    update=
else
    echo "Missing: ${missing[*]} (Debian's names). Install them with this system's package manager." >&2
    exit 1
fi
sudo=()
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo=(sudo -n)
    else
        echo "Missing system packages. Install them and try again:" >&2
        echo "    ${update:+sudo $update && }sudo ${install[*]}" >&2
        exit 1
    fi
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
[ -z "$update" ] || "${sudo[@]}" $update -qq
"${sudo[@]}" "${install[@]}" >/dev/null
