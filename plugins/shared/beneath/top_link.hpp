// SPDX-License-Identifier: Apache-2.0
// Links at the top of a folder of skills that lead out of it: installers put each skill into one
// place and link it into the folder of every agent.
#pragma once

#include "beneath/beneath.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::beneath {

struct TopLink {
  std::string target;                  // absolute; without links when it is there
  std::uint64_t device = 0, inode = 0; // of the target
  std::string refusal;                 // why the link is not followed; empty: it is
};

// The folders that links may lead into when no setting names any: the one where installers such as
// `npx skills` keep skills for all agents. `home` is absolute; "" or "/" give none, since a home
// that is the root says nothing of whose it is.
std::vector<std::string> usualLinkTargets(const std::string &home);

// The link `name`, directly in `folder`, is followed if it leads to the folder of a skill that lies
// below one of `allowed` (absolute paths), belongs to the owner of the link, and cannot be written
// to by anybody else: nobody else decides then what is served.
TopLink judgeTopLink(const Root &folder, const std::string &name,
                     const std::vector<std::string> &allowed);

// The target of a link that was judged, as beginning of paths to open; not open, with ESTALE, when
// another folder is there by now or others may write to it.
Opened openTarget(const TopLink &link);

// True when `path`, absolute and without links, lies in the folder, which need not be there, or is
// it.
bool liesIn(std::string_view path, const std::string &folder);

// The relative path that a regular file holds in place of a symbolic link, as git writes it where
// core.symlinks is false; empty when the file holds anything else, or is none.
std::string linkTextIn(const std::string &path);

} // namespace skillhost::beneath
