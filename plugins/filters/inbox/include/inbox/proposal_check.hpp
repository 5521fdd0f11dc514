// SPDX-License-Identifier: Apache-2.0
// Checks a proposed skill before anything is stored. The files come from strangers.
#pragma once

#include "ground/result.hpp"
#include "inbox/proposal.hpp"
#include "skillmd/finding.hpp"
#include "skillmd/front_matter.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::inbox {

struct ContentLimits {
  std::size_t files = 100;
  std::size_t bytes = 1U << 20U; // of all files together
};

// Fails with InvalidInput if a file of this path may not be part of a proposal. The path is
// relative, without "..", empty, secret or generated parts and hidden folders, and of printable
// UTF-8.
Status checkPath(const std::string &path);

// Fails with InvalidInput that names the first fault in the form: the name, the number or size of
// the files, a path, two paths that some file systems take for one, a missing SKILL.md, or a second
// skill among the files.
Status checkForm(const std::string &name, const Files &files, const ContentLimits &limits);

// Returns what `skillhost validate` finds in these files, with the same severities, the most severe
// first. A proposal with an error among them is refused. checkForm() has succeeded before.
std::vector<Finding> findingsIn(const std::string &name, const Files &files, Strictness strictness);

} // namespace skillhost::inbox
