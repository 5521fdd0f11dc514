// SPDX-License-Identifier: Apache-2.0
#include "failed_sources.hpp"

#include "ground/shown.hpp"

#include <cstdio>
#include <string>

namespace skillhost::app {

bool reportAllFailed(const Catalogue &catalogue) {
  if (!catalogue.entries().empty() || !catalogue.allFailed()) return false;
  for (const SourceStatus &source : catalogue.sources())
    printShown(stderr, "skillhost: the source %s failed: %s\n", source.name.c_str(),
               std::string(source.reason()).c_str());
  return true;
}

} // namespace skillhost::app
