#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the files beside this script into a folder, or removes the files that it installed there. It is plain sh,
# because it runs on other people's systems.
set -eu

usage() {
  cat <<'TEXT'
usage: ./install.sh [--prefix DIR]
       ./install.sh --remove [--prefix DIR]
  --prefix DIR   folder for bin/, lib/, libexec/, include/ and share/ (default: ~/.local; the script in share/skillhost
                 of an installation uses that installation)
  --remove       remove the files that this script has installed there, and no others
The script replaces an older installation of its own. It never overwrites a file that it did not install.
TEXT
}

die() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

# The installed files, one per line, relative to the prefix. Folders that were made for them end in a slash.
list=share/skillhost/installed-files

# Refuses a list that leads out of the prefix, because somebody else may have written it.
read_list() {
  if LC_ALL=C grep -qE '^/|(^|/)\.\.(/|$)|^$' "$1"; then
    die "$1: it is not as this script writes it (a path that is absolute, or has .., or is empty); nothing was changed"
  fi
  cat "$1"
}

# Refuses lists with a folder on the way that is another user's link, because that user could redirect it.
refuse_links() {
  sed -n 's|/[^/]*$||p' "$1" | LC_ALL=C sort -u | while IFS= read -r path; do
    while [ -n "$path" ]; do
      if [ -L "$prefix/$path" ]; then
        owner=$(ls -dn -- "$prefix/$path" | awk '{print $3}')
        [ "$owner" = 0 ] || [ "$owner" = "$(id -u)" ] || printf '%s\n' "$prefix/$path"
      fi
      case $path in */*) path=${path%/*} ;; *) path= ;; esac
    done
  done >"$work/links"
  [ ! -s "$work/links" ] || die "$(head -n 1 "$work/links") is a link of another user; nothing was changed"
}

# Returns true if the group has no members besides root, like root's own group or Debian's "staff".
is_empty_group() { # NUMBER
  [ "$1" = 0 ] && return 0
  entry=$(getent group "$1" 2>/dev/null) || return 1
  [ "$1" -lt 100 ] && [ -z "${entry##*:}" ]
}

# Prints why a user other than root can change the folder's content, or nothing.
exposure() { # FOLDER
  set -- "$1" "$(ls -dnL -- "$1")"
  mode=${2%% *}
  owner=$(printf '%s\n' "$2" | awk '{print $3}')
  group=$(printf '%s\n' "$2" | awk '{print $4}')
  [ "$owner" = 0 ] || { printf 'it belongs to user %s\n' "$owner"; return; }
  case $mode in
    ????????w[tT]*) [ "$1" = "$prefix" ] || return 0; echo 'everybody may write it' ;;
    ????????w*) echo 'everybody may write it' ;;
    ?????w*) is_empty_group "$group" || printf 'group %s may write it\n' "$group" ;;
  esac
}

# As root, refuses to install where another user could exchange files, and to follow such a user's list: in the prefix,
# in a folder above it, or in a folder of the list.
refuse_exposed() { # LIST
  [ "$(id -u)" = 0 ] || return 0
  {
    path=$prefix
    while [ -n "$path" ]; do
      printf '%s\n' "$path"
      path=${path%/*}
    done
    echo /
    sed -n 's|/[^/]*$||p' "$1" | LC_ALL=C sort -u | while IFS= read -r path; do
      while [ -n "$path" ]; do
        printf '%s\n' "$prefix/$path"
        case $path in */*) path=${path%/*} ;; *) path= ;; esac
      done
    done
  } | LC_ALL=C sort -u | while IFS= read -r path; do
    [ -d "$path" ] || continue
    why=$(exposure "$path")
    [ -z "$why" ] || printf '%s: %s\n' "$path" "$why"
  done >"$work/exposed"
  [ ! -s "$work/exposed" ] || die "$(head -n 1 "$work/exposed"), and so could exchange what root installs or removes there: \
give it to root alone (chown root, chmod go-w), or take another --prefix; nothing was changed"
}

remove_listed() { # LIST: its files, then its folders where they have become empty, the deepest first
  grep -v '/$' "$1" | while IFS= read -r path; do
    rm -f -- "$prefix/$path" "$prefix/$path.skillhost-new" || return 1
  done || die "not all could be removed from $prefix"
  { grep '/$' "$1" || true; } | LC_ALL=C sort -r | while IFS= read -r path; do
    rmdir -- "$prefix/$path" 2>/dev/null || true
  done
}

remove() {
  [ -f "$prefix/$list" ] || die "nothing is installed by this script in $prefix ($prefix/$list is not there)"
  read_list "$prefix/$list" >"$work/old"
  refuse_exposed "$work/old"
  refuse_links "$work/old"
  # Remove the list last, so that an interrupted run can be repeated.
  { grep -vxF "$list" "$work/old" || true; } >"$work/files"
  remove_listed "$work/files"
  printf '%s\n' "$list" >"$work/files"
  grep '/$' "$work/old" >>"$work/files" || true
  remove_listed "$work/files"
  echo "skillhost is removed from $prefix"
}

# Refuses to overwrite files of other software, before anything is written.
refuse_foreign() {
  while IFS= read -r path; do
    [ -e "$prefix/$path" ] || [ -L "$prefix/$path" ] || continue
    if [ -d "$prefix/$path" ]; then echo "$prefix/$path (a folder)"
    elif ! grep -qxF -- "$path" "$work/old"; then echo "$prefix/$path"; fi
  done <"$work/files" >"$work/foreign"
  [ -s "$work/foreign" ] || return 0
  echo 'install.sh: these are there already and were not installed by this script; nothing was changed:' >&2
  head -n 10 "$work/foreign" | sed 's/^/  /' >&2
  exit 1
}

# Prints the folders that are missing, with a slash at the end.
new_folders() {
  sed -n 's|/[^/]*$||p' "$work/files" | LC_ALL=C sort -u | while IFS= read -r path; do
    while [ -n "$path" ]; do
      [ -d "$prefix/$path" ] || printf '%s/\n' "$path"
      case $path in */*) path=${path%/*} ;; *) path= ;; esac
    done
  done | LC_ALL=C sort -u
}

install_files() {
  [ -x "$here/bin/skillhost" ] || die "$here/bin/skillhost is not there: run this script from the unpacked archive"
  [ "$prefix" != "$here" ] || die "$prefix is the unpacked archive itself; give another folder to --prefix"
  if ! found=$("$here/bin/skillhost" --version 2>&1); then
    printf '%s\n' "$found" >&2
    die 'this system cannot run it: it needs Linux on PROCESSOR with glibc 2.34 or newer and libstdc++ of GCC 11 or newer'
  fi
  (cd "$here" && find bin include lib libexec share -type f | LC_ALL=C sort) >"$work/files"
  printf '%s\n' share/skillhost/install.sh "$list" >>"$work/files"
  refuse_exposed "$work/files"
  mkdir -p -- "$prefix" && [ -w "$prefix" ] || die "$prefix cannot be written"
  : >"$work/old"
  if [ -f "$prefix/$list" ]; then read_list "$prefix/$list" >"$work/old"; fi
  cat "$work/files" "$work/old" >"$work/both"
  refuse_links "$work/both"
  refuse_foreign
  { grep '/$' "$work/old" || true; new_folders; } | LC_ALL=C sort -u >"$work/folders"
  # Until everything is copied, the list has both the old and the new files, so that an interruption loses no entry.
  cat "$work/files" "$work/old" "$work/folders" | LC_ALL=C sort -u >"$work/both"
  mkdir -p -- "$prefix/share/skillhost"
  put "$work/both" "$list" 644
  while IFS= read -r path; do
    case $path in
      "$list") ;;
      share/skillhost/install.sh) put "$here/install.sh" "$path" 755 ;;
      *) if [ -x "$here/$path" ]; then put "$here/$path" "$path" 755; else put "$here/$path" "$path" 644; fi ;;
    esac
  done <"$work/files"
  # These files of the older version are no longer in this one.
  { grep -v '/$' "$work/old" || true; } | { grep -vxF -f "$work/files" || true; } >"$work/gone"
  if [ -s "$work/gone" ]; then
    cat "$work/gone" "$work/folders" >"$work/leaving"
    remove_listed "$work/leaving"
  fi
  while IFS= read -r path; do
    if [ -d "$prefix/$path" ]; then printf '%s\n' "$path"; fi
  done <"$work/folders" | cat "$work/files" - >"$work/new"
  put "$work/new" "$list" 644
  echo "$found is installed in $prefix"
  case :$PATH: in
    *:"$prefix/bin":*) ;;
    *) echo "$prefix/bin is not in your PATH: add it, or name the program by its path" ;;
  esac
  printf 'To remove it: "%s" --remove\n' "$prefix/share/skillhost/install.sh"
}

# put FILE PATH MODE: installs a file completely or not at all, even while the old program is running.
put() {
  mkdir -p -- "$(dirname -- "$prefix/$2")"
  new=$prefix/$2.skillhost-new
  rm -f -- "$new" # it may be a link
  cp -- "$1" "$new"
  chmod "$3" "$new"
  mv -f -- "$new" "$prefix/$2"
  new=
}

# Removes an incomplete copy of put().
clean_up() {
  rm -rf -- "$work"
  if [ -n "$new" ]; then rm -f -- "$new"; fi
}

# The script of an installation applies to that installation, wherever its prefix is.
default_prefix() {
  case $here in
    */share/skillhost)
      if [ -f "$here/installed-files" ]; then
        printf '%s\n' "${here%share/skillhost}"
        return
      fi ;;
  esac
  printf '%s\n' "${HOME:+$HOME/.local}"
}

main() {
  here=$(cd -- "$(dirname -- "$0")" && pwd -P)
  prefix=$(default_prefix)
  action=install_files
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix) [ -n "${2-}" ] || die '--prefix needs a folder'; prefix=$2; shift ;;
      --prefix=?*) prefix=${1#--prefix=} ;;
      --remove) action=remove ;;
      -h | --help) usage; exit 0 ;;
      *) usage >&2; exit 2 ;;
    esac
    shift
  done
  [ -n "$prefix" ] || die 'HOME is not set: say where by --prefix DIR'
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  if [ -e "$prefix" ] && [ ! -d "$prefix" ]; then die "$prefix is not a folder"; fi
  if [ -d "$prefix" ]; then prefix=$(cd -- "$prefix" && pwd -P); fi
  new=
  work=$(mktemp -d)
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  "$action"
}

# This is the last line, so that sh has read the whole script before the script removes itself.
main "$@"
exit
