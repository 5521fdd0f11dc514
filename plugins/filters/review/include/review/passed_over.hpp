// SPDX-License-Identifier: Apache-2.0
// Finds files in the folder of a skill that are none of its documents. No decision covers them, and
// no agent receives them with the skill. A reviewer has to know that they are there.
#pragma once

#include "review/reviewed_source.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct PassedOver {
  std::vector<std::string> names; // relative to the folder, sorted, at most 20; a folder ends in /
  bool isAll = true;              // false: there are more, or a folder could not be read
};

// Reads only folders that contain documents; another folder is only named, however large it is.
// Names nothing if the skill has no folder on this machine. If not all of its documents can be
// read, it names nothing and isAll is false.
PassedOver passedOver(const Review &review);

// Returns one line for people; it is empty if nothing is passed over.
std::string textOf(const PassedOver &found);

} // namespace skillhost
