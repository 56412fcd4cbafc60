#!/usr/bin/env bash
# Makes HiGHS available to pkg-config, for go build -tags highs. Does nothing
# where it is there; else takes the distribution's package; else, on Debian 12,
# builds the source package of Debian 13 in a cache folder.
#
#   eval "$(lp/highs/install.sh)"
#
# stdout has the line to set PKG_CONFIG_PATH where that is needed, stderr the
# rest. The programs needed for a build are installed when run as root, or by sudo.
# Interrupted, it leaves nothing behind; run again, it begins anew.
#
#   CAPPLAN_HIGHS_DIR   where the build goes; default
#                       ${XDG_CACHE_HOME:-~/.cache}/capplan/highs-1.10.0
#   CAPPLAN_HIGHS_OPTIMIZE   level of optimisation of the build; default 2
set -euo pipefail

version=1.10.0
prefix=${CAPPLAN_HIGHS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/capplan/highs-$version}
pkgconfig=$prefix/lib/pkgconfig

say() { echo "highs: $*" >&2; }
fail() {
  say "$*"
  exit 1
}
found() { command -v pkg-config >/dev/null && pkg-config --exists 'highs >= 1.7'; }
use_cache() {
  echo "export PKG_CONFIG_PATH='$pkgconfig'\${PKG_CONFIG_PATH:+:\$PKG_CONFIG_PATH}"
  exit 0
}
install_packages() {
  local root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || fail "not root; install these first: $*"
    root=(sudo -n)
  fi
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@" >&2
}

if found; then
  say "$(pkg-config --modversion highs), known to pkg-config"
  exit 0
fi
if [ -f "$pkgconfig/highs.pc" ]; then
  say "$version, built before in $prefix"
  command -v pkg-config >/dev/null || install_packages pkg-config
  use_cache
fi
command -v apt-get >/dev/null ||
  fail "no apt here: install HiGHS by hand, such as: brew install highs pkg-config, or conda install -c conda-forge highs pkg-config"

# The distribution's own package.
apt-cache show pkg-config >/dev/null 2>&1 || apt-get update >&2 || true
if apt-cache show libhighs-dev >/dev/null 2>&1; then
  install_packages libhighs-dev pkg-config
  found || fail "installed, but pkg-config does not find it"
  exit 0
fi

# Debian 13's source package, from this machine's own Debian mirror.
work=
trap '[ -z "$work" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$(dirname "$prefix")"
work=$(mktemp -d "$(dirname "$prefix")/.highs-XXXXXX")

missing=()
for pair in cmake:cmake ninja:ninja-build g++:g++ pkg-config:pkg-config xz:xz-utils; do
  command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
done
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"

mirror=$(apt-get indextargets --format '$(ORIGIN)|$(COMPONENT)|$(CODENAME)|$(REPO_URI)' |
  awk -F'|' '$1 == "Debian" && $2 == "main" && $3 !~ /-/ { print $4; exit }')
[ -n "$mirror" ] || fail "no Debian mirror among this machine's package sources, and no package libhighs-dev"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source" "$work/stage"
echo "deb-src [signed-by=$keys] $mirror trixie main" >"$work/sources.list"
apt() {
  apt-get -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}
say "fetching the source package of Debian 13"
apt update >&2
read -r _ archive _ sum < <(apt source --print-uris highs 2>/dev/null | grep -F ".orig.tar.xz'") || true
sum=${sum#SHA256:}
[[ ${archive:-} == highs_"$version"+*.orig.tar.xz && $sum =~ ^[0-9a-f]{64}$ ]] ||
  fail "want the source of version $version, the index has ${archive:-none}"
# The packaging files, which this build does without, may be missing on a mirror.
(cd "$work" && apt source --download-only highs >&2) || true
[ -f "$work/$archive" ] || fail "could not fetch $archive"
# apt has signed the index that names the sum; compare once more.
echo "$sum  $work/$archive" | sha256sum --check --status || fail "$archive has another SHA256 than the signed index says"
tar -xJf "$work/$archive" -C "$work/source" --strip-components=1

say "building in $work"
begun=$SECONDS
# Several files to a compilation take a fraction of the time. Some of the
# source cannot share one.
cat >>"$work/source/src/CMakeLists.txt" <<'EOF'
get_target_property(files highs SOURCES)
foreach(file ${files})
  if(file MATCHES "\\.c$|filereaderlp")
    set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endforeach()
EOF
cmake -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE="-O${CAPPLAN_HIGHS_OPTIMIZE:-2} -DNDEBUG" -DCMAKE_C_FLAGS_RELEASE="-O${CAPPLAN_HIGHS_OPTIMIZE:-2} -DNDEBUG" \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 \
  -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF -DBUILD_EXAMPLES=OFF -DZLIB=OFF \
  -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib >"$work/log" 2>&1 &&
  nice ninja -C "$work/build" >>"$work/log" 2>&1 &&
  DESTDIR=$work/stage ninja -C "$work/build" install >>"$work/log" 2>&1 ||
  { tail -40 "$work/log" >&2 && fail "the build failed"; }
# Programs linked against it find it without LD_LIBRARY_PATH.
sed -i 's|^Libs:.*|Libs: -L${libdir} -Wl,-rpath,${libdir} -lhighs|' "$work/stage$pkgconfig/highs.pc"
if [ ! -f "$pkgconfig/highs.pc" ]; then
  rm -rf "$prefix"
  mv -T "$work/stage$prefix" "$prefix" || [ -f "$pkgconfig/highs.pc" ] || fail "could not move the build to $prefix"
fi
say "$version built in $((SECONDS - begun)) s: $prefix"
use_cache
