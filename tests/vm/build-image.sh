#!/usr/bin/env bash
# Builds the virtual machine for tests: a Debian kernel with the binder driver, and root file systems with adbd.
#
#   build-image.sh VARIANT...    builds what is missing, prints the directory of the finished files
#
#   trixie   Debian 13, Python 3.13, gbinder's tools
#   sid      Debian unstable, Python 3.14, gbinder's tools and its Python module
#
# The directory holds vmlinux, VARIANT.cpio for each variant, and VARIANT.packages saying what is inside. Its name is
# made from the contents of this script and of init, so a changed recipe builds anew and an old cache is never used.
# Needs root (debootstrap does), only if something has to be built.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kernel_suite=trixie     # the first Debian kernel with both binder and dma-buf heaps
guest=adbd,python3,kmod,iproute2
limit=900               # seconds that any one download or debootstrap may take
[ $# -gt 0 ] || { sed -n 2,12p "$0" >&2; exit 2; }

main() {
    key=$(cat "$here/build-image.sh" "$here/init" | sha256sum | cut -c 1-12)
    cache=${XDG_CACHE_HOME:-$HOME/.cache}/npukit/vm
    image=$cache/$key
    if [ "$1" = --isolated ]; then
        shift
        build "$@"
    elif ! finished "$@"; then
        [ "$(id -u)" = 0 ] || { echo "building the virtual machine needs root" >&2; exit 1; }
        # debootstrap mounts /proc and more into the new root. In name spaces of our own the mounts and all processes
        # end with us, however we end, so that nothing which removes a half-finished root can reach this system.
        exec unshare --mount --pid --fork --kill-child --mount-proc "$0" --isolated "$@"
    fi
    touch "$image"
    echo "$image"
}

finished() {
    local name
    for name in vmlinux modules.cpio "${@/%/.cpio}"; do [ -e "$image/$name" ] || return 1; done
}

build() {
    mkdir -p "$image"
    exec 9>"$cache/lock"
    timeout "$limit" flock 9
    if finished "$@"; then return; fi # by another process while we waited
    work=$(mktemp -d "$cache/building.XXXXXX")
    trap 'rm -rf --one-file-system "$work" 2>/dev/null' EXIT
    trap 'exit 130' INT TERM
    # What killed builds left behind (the lock says that no other is running), and what nobody has used for long.
    find "$cache" -maxdepth 1 -name 'building.*' ! -path "$work" -exec rm -rf --one-file-system {} +
    find "$cache" -maxdepth 1 -mindepth 1 -type d -mtime +30 -exec rm -rf --one-file-system {} +
    # The mirror that apt on this machine uses.
    mirror=${NPUKIT_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
        grep -m1 '/debian/$' || true)}
    [ "$mirror" ] || { echo "apt knows no mirror of Debian: set NPUKIT_DEBIAN_MIRROR" >&2; exit 1; }

    echo "Building the virtual machine for tests, once ($image) ..." >&2
    build_kernel
    local variant building=()
    for variant in "$@"; do # side by side: each waits for the network and the disk half of the time
        [ -e "$image/$variant.cpio" ] || { build_root "$variant" & building+=($!); }
    done
    for variant in "${building[@]}"; do wait "$variant"; done
}

# apt SUITE COMMAND...: apt as this machine configures it (proxy, certificates), but for another suite.
apt() {
    local suite=$1 dir=$work/apt/$1
    shift
    if [ ! -d "$dir" ]; then
        mkdir -p "$dir/state/lists/partial" "$dir/cache/archives/partial"
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$dir/sources.list"
        : >"$dir/status"
        apt "$suite" get update
    fi
    local program=$1
    shift
    timeout --foreground "$limit" "apt-$program" -qq -o Dir::Etc::SourceList="$dir/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::State="$dir/state" -o Dir::State::status="$dir/status" -o Dir::Cache="$dir/cache" \
        -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o APT::Sandbox::User=root "$@"
}

# unpack SUITE ROOT PACKAGE...: without running its scripts. `only`, an array of the caller's, selects what.
unpack() {
    local suite=$1 root=$2 debs=$2.debs deb
    shift 2
    mkdir "$debs"
    (cd "$debs" && apt "$suite" get download "$@")
    for deb in "$debs"/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root" "${only[@]}"; done
}

build_kernel() {
    [ -e "$image/modules.cpio" ] && return
    local package only=(--wildcards './boot/vmlinuz-*' '*/failover.ko*' '*/net_failover.ko*' '*/virtio_net.ko*'
        '*/binder_linux.ko*') kernel=$work/kernel modules=$work/modules/lib/npukit module
    package=$(apt "$kernel_suite" cache depends linux-image-amd64 | awk '/Depends:/ {print $2; exit}')
    echo "  kernel: $package" >&2
    mkdir -p "$kernel" "$modules"
    unpack "$kernel_suite" "$kernel" "$package"
    # The ELF file inside the compressed kernel: QEMU starts it directly, which saves 2 seconds of unpacking in the
    # guest. zstd complains about what follows the frame; the check is that an ELF file came out.
    python3 - "$kernel"/boot/vmlinuz-* <<'PY' | zstd -qdc >"$work/vmlinux" 2>/dev/null || true
import sys
data = open(sys.argv[1], "rb").read()
sys.stdout.buffer.write(data[data.index(b"\x28\xb5\x2f\xfd"):])
PY
    [ "$(head -c 4 "$work/vmlinux" | tail -c 3)" = ELF ] || { echo "no kernel found in $package" >&2; exit 1; }
    for module in $(find "$kernel" -name '*.ko.xz'); do
        xz -dc "$module" >"$modules/$(basename "$module" .xz)"
    done
    install -m 755 "$here/init" "$work/modules/init"
    (cd "$work/modules" && find . | cpio -o -H newc --quiet -R 0:0) >"$work/modules.cpio"
    mv "$work/vmlinux" "$work/modules.cpio" "$image/"
}

# Everything that a test never needs is left out: the image lies in the memory of the machine.
pack() {
    local root=$1 skip=() path
    for path in usr/share/{doc,man,locale,info,zoneinfo,perl5,bash-completion,lintian,common-licenses} \
        usr/lib/x86_64-linux-gnu/{perl-base,gconv} var/lib/{dpkg,apt} var/{cache,log} proc/* sys/* dev/*; do
        skip+=(-path "./$path" -prune -o)
    done
    (cd "$root" && find . -xdev "${skip[@]}" ! -name 'perl*' ! -name 'apt*' ! -name 'dpkg*' ! -name 'debconf*' \
        ! -name sqv ! -name 'libapt*' -print0 | sort -z | cpio -0 -o -H newc --quiet -R 0:0)
}

build_root() {
    local variant=$1 root=$work/$1 only=() include=$guest
    case $variant in
        trixie) include+=,libglib2.0-0t64,libatomic1 ;; # what gbinder from sid needs
        sid) include+=,libgbinder-tools,python3-gbinder ;;
        *) echo "no such variant: $variant" >&2; exit 2 ;;
    esac
    echo "  root file system: $variant" >&2
    timeout --foreground "$limit" debootstrap --variant=minbase --include="$include" "$variant" "$root" "$mirror" \
        >"$work/$variant.log" 2>&1 || { tail -n 5 "$work/$variant.log" >&2; exit 1; }
    if [ "$variant" = trixie ]; then
        unpack sid "$root" libglibutil1 libgbinder1 libgbinder-tools
        chroot "$root" ldconfig
    fi
    chroot "$root" dpkg-query -W >"$work/$variant.packages"
    # Android's user of `adb shell`, its places, and where tests put the code under test.
    echo 'shell:x:2000:2000::/data/local/tmp:/bin/sh' >>"$root/etc/passwd"
    echo 'shell:x:2000:' >>"$root/etc/group"
    echo npukit >"$root/etc/hostname"
    install -d -m 1777 "$root/data/local/tmp"
    install -d -m 755 "$root/opt/npukit"
    # The kernel unpacks one archive after the other.
    { pack "$root" && cat "$image/modules.cpio"; } >"$work/$variant.cpio"
    rm -rf --one-file-system "$root"
    mv "$work/$variant.packages" "$work/$variant.cpio" "$image/"
}

main "$@"
exit # bash reads a script as it runs it: what an editor puts behind this line must not run
