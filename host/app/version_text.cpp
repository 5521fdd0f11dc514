// SPDX-License-Identifier: Apache-2.0
#include "version_text.hpp"

namespace skillhost::app {

std::string versionText(const Surroundings &surroundings) {
  std::string text = "skillhost " SKILLHOST_VERSION;
  if (!surroundings.commit.empty()) text += " (commit " + surroundings.commit + ')';
  return text;
}

} // namespace skillhost::app
