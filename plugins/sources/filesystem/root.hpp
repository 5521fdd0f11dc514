// SPDX-License-Identifier: Apache-2.0
// A folder below which documents are opened: a configured directory, or the target of a link at its
// top.
#pragma once

#include "beneath/beneath.hpp"
#include "beneath/top_link.hpp"

#include <optional>
#include <string>

namespace skillhost::filesystem {

using beneath::Opened;

// For a link, `path` is the link and `canonical` its target. There may be very many links, so
// `descriptor` stays closed, and the target is opened together with something below it.
struct Root : beneath::Root {
  std::optional<beneath::TopLink> link{};
};

// Works as openBeneath(). The target of a link must still be the folder that was judged.
inline Opened openIn(const Root &root, const std::string &path, int flags) {
  if (!root.link) return openBeneath(root, path, flags);
  Opened target = openTarget(*root.link);
  if (target.error != 0) return target;
  return openBeneath(beneath::Root{root.path, root.canonical, std::move(target.descriptor)}, path,
                     flags);
}

} // namespace skillhost::filesystem
