// SPDX-License-Identifier: Apache-2.0
// The folders in which people keep skills by habit: served when nobody says where skills come from.
#pragma once

#include "app/configuration.hpp"
#include "app/surroundings.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// As they are written for a person: "~/.claude/skills", "./skills", in order of precedence.
std::vector<std::string> usualFolderNames();

// The names of their sources, as long as no other source has one: "claude", "project".
std::vector<std::string> usualSourceNames();

struct UsualFolders {
  std::vector<SourceConfiguration> sources; // one for each folder that no other source serves
  std::vector<std::string>
      outside;                     // folders of the project that are links to elsewhere: not served
  std::vector<std::string> asText; // those that git has written as a text, with where they lead
  bool areThere = false;           // any of them, a source's of `taken` too
};

// Of several that are one folder the first counts, and none that a source in `taken` names, or has
// switched off. Names are those that no source in `taken` has.
UsualFolders usualFolders(const Surroundings &surroundings,
                          const std::vector<SourceConfiguration> &taken);

} // namespace skillhost::app
