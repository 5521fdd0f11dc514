// SPDX-License-Identifier: Apache-2.0
#include "base/metric_help.hpp"
#include "catch2.hpp"

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

using namespace skillhost::metrics;

TEST_CASE("each metric that the manual names is described") {
  std::ifstream page(PROJECT_ROOT "/doc/monitoring.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const std::regex name("`((?:skillhost|process)_[a-z_]*[a-z])`");
  std::size_t seen = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it, ++seen) {
    INFO((*it)[1].str());
    CHECK(helpOf((*it)[1].str()) != helpOf("another"));
  }
  CHECK(seen > 40);
}
