// SPDX-License-Identifier: Apache-2.0
// The state when the process last ended: the commit, and the time of the last check.
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
  std::string url, ref; // the request for which the commit was fetched
  std::string commit;
  std::int64_t checked = 0; // Unix seconds of the last answer of the remote
  // Only set if the commit was fetched through the API, which does not send the bytes of the commit
  // itself: its tree, the entity tag of the answer that named it, and the sizes of blobs that were
  // not fetched because their size alone decided.
  std::string tree{}, tag{};
  std::map<std::string, std::uint64_t> absent{};
  std::vector<MarketplaceCommit> marketplace{}; // in the order of the commit's marketplace.json
  // Unix seconds when the commit was fetched; 0: unknown.
  std::int64_t fetched = 0;
  LfsFiles lfs{}; // for the pointers in the listing
  // True if the server has said of each missing file that it has none, or none is asked for.
  bool isLfsAnswered = false;

  // Id of the object in the store from which everything can be reached.
  const std::string &root() const noexcept { return tree.empty() ? commit : tree; }
  // The commit, followed by the commits of the marketplace plugins, each after a '+'. '-' stands
  // for a plugin that is left out.
  std::string commits() const;
  // Identifies the snapshot by its commits and, after a '~', by the Git LFS files that are present.
  std::string snapshot() const;
};

// Returns nothing if there is no file, or if it has another version, is incomplete or belongs to
// another url. The ref of the state may be another than that of the configuration.
std::optional<State> readState(const std::string &path, const std::string &url);

// Writes the file as files::writeFile() does, and flushes it at once.
void writeState(const std::string &path, const State &state);

// Returns the part of State::snapshot() that is State::commits().
std::string_view commitsIn(std::string_view snapshot);
// Returns the commits in State::snapshot(), "" for '-'. Returns nothing if the text is invalid.
std::optional<std::vector<std::string>> commitsOf(std::string_view snapshot);

// True for 40 hexadecimal digits in lower case.
bool isObjectId(std::string_view text);

} // namespace skillhost::github
