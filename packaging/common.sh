# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# Common functions and variables of the scripts of this folder. A script sources this file after it has changed to the
# root of the clone.

caller=${OLDPWD-$PWD} # the folder in which the script was started
output=$PWD/build-dist/packages # the folder of packages without --output
architecture= # Debian's name of another architecture than this machine's, for which the package is made
install=true # false: need_packages only prints the missing packages
console_option= # see build_console
machine=$(uname -m) # whose programs are in the package, by the kernel's name
sysroot= # see for_architecture
# Tests of packages may name a build folder in SKILLHOST_BUILT, so that nothing is compiled again.
built=${SKILLHOST_BUILT:-$PWD/build-dist}

say() { printf 'packaging: %s\n' "$*" >&2; }
die() { printf 'packaging: %s\n' "$*" >&2; exit 1; }

version() { sed -nE "s/^ *version: '([0-9][^']*)'.*/\1/p" meson.build | head -n 1; }

# Every file in a package has the time of the last commit, so that each build makes the same bytes.
set_epoch() {
  if [[ -z ${SOURCE_DATE_EPOCH-} ]]; then
    SOURCE_DATE_EPOCH=$(git -c 'safe.directory=*' log -1 --format=%ct) ||
      die "no git history here: set SOURCE_DATE_EPOCH, the time that files in the package shall have"
  fi
  export SOURCE_DATE_EPOCH
}

# from_caller PATH: prints an absolute path; a relative one refers to the caller's folder.
from_caller() { (cd "$caller" && realpath -m -- "$1"); }

need_empty() {
  if [[ -e $1 ]] && [[ ! -d $1 || -n $(ls -A "$1") ]]; then die "$1 is there already, and is not an empty folder"; fi
  mkdir -p "$1"
}

# need_packages PACKAGE...: installs the missing Debian packages, unless `install` is false.
need_packages() {
  local -a missing=() as_root=()
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  $install || die "not installed: ${missing[*]}"
  command -v apt-get >/dev/null || die "not installed, and there is no apt-get here: ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "not root and no sudo: as root, run apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  { "${as_root[@]}" apt-get -q update || "${as_root[@]}" apt-get -q update; } >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends --no-remove "${missing[@]}" >&2
}

# for_architecture NAME: makes a package for the machine with Debian's name NAME. If it is another one than this,
# `sysroot` is the folder with its libraries, which need_sysroot makes.
for_architecture() {
  case $1 in
    amd64) machine=x86_64 ;;
    arm64) machine=aarch64 ;;
    *) die "packages are made for amd64 and arm64, not for \"$1\"" ;;
  esac
  if [[ $machine == "$(uname -m)" ]]; then return; fi
  [[ $1 == arm64 ]] || die "only arm64 is cross-compiled; for $1 use such a machine"
  architecture=$1
  sysroot=$PWD/build-sysroot-$1
  built=${SKILLHOST_BUILT:-$PWD/build-dist-$1}
}

# processor: prints the name of the processor for people.
processor() { case $machine in x86_64) echo x86-64 ;; aarch64) echo ARM64 ;; *) echo "$machine" ;; esac; }

# need_emulator: makes the kernel start an emulator for programs of arm64, also if another such program or a container
# starts them.
need_emulator() {
  local known=/proc/sys/fs/binfmt_misc/qemu-aarch64
  local -a as_root=()
  need_packages qemu-user-static
  if [[ -e $known ]]; then return; fi
  need_packages binfmt-support
  if ((EUID != 0)); then as_root=(sudo); fi
  "${as_root[@]}" update-binfmts --enable qemu-aarch64 >&2 || true
  [[ -e $known ]] || die "programs for arm64 cannot be executed here: $known is not there"
}

# need_sysroot: installs the cross-compiler and the emulator, and makes the folder with the libraries. These are not
# installed, because Debian cannot install all of them beside those of this machine.
need_sysroot() {
  if [[ -z $sysroot ]]; then return; fi
  need_packages g++-aarch64-linux-gnu dpkg-dev
  need_emulator
  export QEMU_LD_PREFIX=$sysroot
  local packages
  packages=$(./bootstrap --libraries)
  # shellcheck disable=SC2086
  packaging/sysroot "$architecture" "$sysroot" $packages
}

# read_output KIND ARGUMENTS...: sets `output` to the folder of --output, and obeys --architecture.
read_output() {
  local kind=$1
  shift
  while (($#)); do
    case $1 in
      --output) output=$(from_caller "${2:?--output needs a folder}"); shift ;;
      --architecture) for_architecture "${2:?--architecture needs amd64 or arm64}"; shift ;;
      -h | --help) echo "usage: packaging/build $kind [--output DIR] [--architecture amd64|arm64]"; exit 0 ;;
      *) echo "usage: packaging/build $kind [--output DIR] [--architecture amd64|arm64]" >&2; exit 2 ;;
    esac
    shift
  done
}

# build_console DIR: builds the console's page of this clone into DIR/page, and sets `console_option` for Meson. Without
# Node or the registry of npm, the package is made without the console, and the reason is printed.
build_console() {
  local code=0
  if $install && ! command -v npm >/dev/null; then need_packages npm; fi
  python3 console/build_page.py console "$1/work" "$1/page" --own-node >&2 || code=$?
  case $code in
    0) console_option=-Dconsole_page=$(realpath "$1/page") ;;
    3)
      say 'the console, a page at /console, is left out of this package; the reason is above'
      console_option=-Dconsole=disabled
      ;;
    *) die "the console's page could not be built; the reason is above" ;;
  esac
}

# install_built DIR: installs the build of SKILLHOST_BUILT into DIR without debug information, whatever its configured
# prefix.
install_built() {
  local work
  work=$(mktemp -d)
  DESTDIR=$work meson install -C "$SKILLHOST_BUILT" --no-rebuild --quiet --strip >&2
  local prefix
  prefix=$(meson introspect --buildoptions "$SKILLHOST_BUILT" |
    python3 -c 'import json, sys; print(next(one["value"] for one in json.load(sys.stdin) if one["name"] == "prefix"))')
  mkdir -p "$1"
  cp -a "$work$prefix/." "$1/"
  # This makes the file work wherever the package is unpacked.
  sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|' "$1"/lib/pkgconfig/*.pc
  rm -rf "$work"
}

# relocatable DIR: makes a new folder with files that run from anywhere on a Linux with glibc 2.34 or newer.
relocatable() {
  packaging/stage "$1" ${architecture:+"$architecture"}
  need_packages binutils patchelf
  packaging/relocate "$1" "$built" ${sysroot:+"$sysroot"}
  chmod -R u=rwX,go=rX "$1"
  find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}
