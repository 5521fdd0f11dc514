// SPDX-License-Identifier: Apache-2.0
#include "failed_sources.hpp"

#include "ground/shown.hpp"

#include <cstdio>
#include <string>

namespace skillhost::app {

bool reportFailed(const Catalogue &catalogue) {
  bool hasFailed = false;
  for (const SourceStatus &source : catalogue.sources()) {
    if (source.failure.empty()) continue;
    hasFailed = true;
    printShown(stderr, "skillhost: the source %s failed: %s\n", source.name.c_str(),
               std::string(source.reason()).c_str());
  }
  return hasFailed;
}

bool reportAllFailed(const Catalogue &catalogue) {
  return catalogue.entries().empty() && catalogue.allFailed() && reportFailed(catalogue);
}

} // namespace skillhost::app
