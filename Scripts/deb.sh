#!/usr/bin/env bash
# Makes a Debian package of the command line, in .build/deb. It brings the Swift runtime along, and depends on the other
# libraries that the program is linked with, in the versions that this machine's packages ask for, and on libsystemd, which it
# loads for tail --catalog. It recommends libncursesw, which it loads for a full screen.
# usage: Scripts/deb.sh PROGRAM
#
# DEBFULLNAME, DEBEMAIL   the maintainer; the author of the last commit if they are not set
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1 folder=.build/deb
rm -rf "$folder"
root=$folder/root
mkdir -p "$root/DEBIAN" "$folder/debian"

# Between versions: before the next one, in the order of the commits.
version=$("$program" --version | cut -d " " -f 1)
git describe --exact-match --tags --match "v$version" >/dev/null 2>&1 ||
    version+=$(TZ=UTC git log -1 --date=format-local:%Y%m%d.%H%M%S --format='~git%cd.%h')
version+=-1
maintainer="${DEBFULLNAME:-$(git log -1 --format=%an)} <${DEBEMAIL:-$(git log -1 --format=%ae)}>"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

umask 022
ZSH_COMPLETIONS=vendor-completions Scripts/install.sh "$program" "$root/usr"
documents=$root/usr/share/doc/busctl-rx
mkdir -p "$documents"
cp CHANGELOG.md "$documents/changelog"
cat >"$documents/changelog.Debian" <<END
busctl-rx ($version) unstable; urgency=medium

  * Built from commit $(git log -1 --format=%H).

 -- $maintainer  $(git log -1 --format=%cD)
END
cat >"$documents/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: busctl-rx

Files: *
Copyright: $(git log --reverse --date=format:%Y --format=%cd | head -n 1) the authors of busctl-rx
License: Apache-2.0
 The program contains the Swift runtime, swift-collections and swift-system, of Apple Inc. and the
 Swift project authors, under the Apache License 2.0 with the Runtime Library Exception.
 .
 On Debian systems, the text of the license is in /usr/share/common-licenses/Apache-2.0.
END
# Linked in by Scripts/release.sh, under licences that ask for their texts.
contained=
if ! readelf -d "$program" | grep 'NEEDED.*libre2' >/dev/null; then
    contained=$(dpkg-query -W -f '${source:Package} (= ${source:Version}), ' libre2-dev liblz4-dev liblzma-dev libzstd-dev)
    for name in re2 lz4 lzma zstd; do cp "/usr/share/doc/lib$name-dev/copyright" "$documents/copyright-$name"; done
    cat >>"$documents/copyright" <<END
 .
 It contains RE2, lz4, liblzma and zstd, whose copyrights are in the files beside this one, and libstdc++ of GCC, under the GNU
 General Public License with the GCC Runtime Library Exception.
END
fi
gzip -9n "$documents"/changelog* "$root"/usr/share/man/man1/*.1

# dpkg-shlibdeps reads the package's name there.
printf 'Source: busctl-rx\n\nPackage: busctl-rx\nArchitecture: any\n' >"$folder/debian/control"
libraries=$(cd "$folder" && dpkg-shlibdeps -O root/usr/bin/busctl-rx)
cat >"$root/DEBIAN/control" <<END
Package: busctl-rx
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: $maintainer
Installed-Size: $(du -k -s "$root/usr" | cut -f 1)
Depends: ${libraries#shlibs:Depends=}, libsystemd0
Recommends: libncursesw6
Suggests: libcurl4, libdeflate0, libnats3.4${contained:+
Built-Using: ${contained%, }}
Section: admin
Priority: optional
Description: tail and filter the systemd journal
 busctl-rx shows the entries of the journal that an expression selects, and
 follows what comes. Expressions are written in the Common Expression Language
 over the fields of an entry. The options of journalctl for choosing entries
 and its output formats mean what they mean there.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
dpkg-deb --root-owner-group --build "$root" "$folder"
