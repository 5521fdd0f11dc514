// SPDX-License-Identifier: Apache-2.0
#include "base/process_metrics.hpp"

#include "catch2.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>

using namespace skillhost;

namespace {

double openFiles(metrics::Registry &registry) {
  registry.snapshot();
  return registry.gauge({"process_open_fds", {}}).value();
}

} // namespace

TEST_CASE("descriptors are counted once a second, however many ask") {
  metrics::Registry registry;
  const auto collector = collectProcess(registry);
  const auto begun = std::chrono::steady_clock::now();
  const double before = openFiles(registry);
  CHECK(before > 0);
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  REQUIRE(file >= 0);
  const double after = openFiles(registry);
  if (std::chrono::steady_clock::now() - begun < std::chrono::seconds(1)) CHECK(after == before);
  // A second later the new file is counted.
  while (openFiles(registry) == before)
    REQUIRE(std::chrono::steady_clock::now() - begun < std::chrono::minutes(1));
  CHECK(openFiles(registry) > before);
  ::close(file);
}
