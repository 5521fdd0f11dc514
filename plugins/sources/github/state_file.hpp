// SPDX-License-Identifier: Apache-2.0
// What was known when the process last ended: which commit, and when the remote was asked.
#pragma once

#include "marketplace_plugin.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::github {

// Maps the blob of a pointer of Git LFS to the blob of the file that it stands for, in the store,
// or to "" if that file could not be had.
using LfsFiles = std::map<std::string, std::string>;
inline const LfsFiles noLfsFiles;

struct State {
  std::string url, ref; // what the commit was fetched for
  std::string commit;
  std::int64_t checked = 0; // Unix seconds of the last answer of the remote
  // Of a commit that came by the API, whose own bytes are not told: its tree, the entity tag of the
  // answer that named it, and the bytes of those blobs that were judged by their size alone.
  std::string tree{}, tag{};
  std::map<std::string, std::uint64_t> absent{};
  std::vector<MarketplaceCommit> marketplace{}; // in the order of the commit's marketplace.json
  std::int64_t fetched = 0;                     // Unix seconds: when the commit came; 0: not known
  LfsFiles lfs{};                               // of the pointers that the listing has
  // True if the server has said of each missing file that it has none, or none is asked for.
  bool isLfsAnswered = false;

  // The object in the store that all of it hangs on.
  const std::string &root() const noexcept { return tree.empty() ? commit : tree; }
  // The commit, and behind a '+' each the commits of the marketplace plugins, of which '-' is one
  // that is left out.
  std::string commits() const;
  // Names the whole by its commits and, behind a '~', by the files of Git LFS that are there.
  std::string snapshot() const;
};

// Nothing when there is no file, or it is of another version, half-written or about something else.
std::optional<State> readState(const std::string &path, const std::string &url,
                               const std::string &ref);

// As files::writeFile() does it, at once.
void writeState(const std::string &path, const State &state);

// The part of State::snapshot() that is State::commits().
std::string_view commitsIn(std::string_view snapshot);
// The commits that State::snapshot() names, "" for '-'. Nothing when it is no such text.
std::optional<std::vector<std::string>> commitsOf(std::string_view snapshot);

// 40 hexadecimal digits in lower case.
bool isObjectId(std::string_view text);

} // namespace skillhost::github
