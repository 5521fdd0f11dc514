#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the commits since the last tag (or since the given revision), oldest first and without merges: hash, author and
# subject, separated by tabs. It reads the repository in the current folder.
#
#   commits-since-tag.sh [SINCE [UNTIL]]
set -eu

until=${2:-HEAD}
if [ "$#" -ge 1 ]; then
  since=$1
else
  since=$(git describe --tags --abbrev=0 "$until" 2>/dev/null || true)
fi

if [ -n "$since" ]; then
  range="$since..$until"
else
  range=$until
fi

printf 'range\t%s\n' "$range"
git log --no-merges --reverse --format='%h%x09%an%x09%s' "$range" --
