#!/usr/bin/env bash
# Makes Google's newest packaged AIDL compiler (Debian unstable's) runnable on an older Debian.
#
#   newest-aidl.sh DIR    leaves DIR/bin/aidl; does nothing if it is there and works
#
# Needs root (debootstrap does), and debootstrap with debian-archive-keyring.
set -euo pipefail
dir=$(realpath -m "${1:?usage: newest-aidl.sh DIR}")
root=$dir/root
if "$dir/bin/aidl" --help >/dev/null 2>&1; then
    exit 0
fi
rm -rf "$dir"
mkdir -p "$dir/bin"
# An interrupted build must not look like a finished one: the wrapper is written last.
trap 'rm -rf "$dir"' INT TERM
timeout 600 debootstrap --variant=minbase --include=aidl sid "$root" >"$dir/log" 2>&1 || {
    tail -n 5 "$dir/log" >&2
    rm -rf "$dir"
    echo "newest-aidl.sh: debootstrap failed" >&2
    exit 1
}
libraries=$root/usr/lib/x86_64-linux-gnu
# The program runs with the libraries it was built for, and sees the files of this system.
cat >"$dir/bin/aidl.new" <<WRAPPER
#!/bin/sh
exec $libraries/ld-linux-x86-64.so.2 --library-path $libraries:$libraries/android $root/usr/lib/android-sdk/build-tools/debian/aidl "\$@"
WRAPPER
chmod +x "$dir/bin/aidl.new"
mv "$dir/bin/aidl.new" "$dir/bin/aidl"
"$dir/bin/aidl" --help >/dev/null 2>&1
