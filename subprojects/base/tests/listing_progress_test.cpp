// SPDX-License-Identifier: Apache-2.0
#include "base/listing_progress.hpp"
#include "catch2.hpp"

#include <thread>

using namespace skillhost;

namespace {

struct Heard {
  std::uint64_t done = 0, total = 0;
  std::string what;
  int times = 0;
  ListingProgress::Observer observer() {
    return [this](std::uint64_t theDone, std::uint64_t theTotal, std::string_view text) {
      done = theDone;
      total = theTotal;
      what = text;
      ++times;
    };
  }
};

// Reports progress until the next notification is due.
void reportUntil(ListingProgress &progress, const Heard &heard, const std::string &source,
                 std::uint64_t done, std::uint64_t total) {
  for (const int before = heard.times; heard.times == before; std::this_thread::yield())
    progress.report(source, done, total, "fetching");
}

} // namespace

TEST_CASE("progress is that of all sources, and never less than before") {
  ListingProgress progress;
  Heard heard;
  const auto kept = progress.observe(heard.observer());
  progress.report("a", 10, 40, "fetching");
  CHECK(heard.times == 1);
  CHECK((heard.done == 10 && heard.total == 40));
  CHECK(heard.what == "a: fetching");
  progress.report("b", 5, 10, ""); // too soon for a notification
  CHECK(heard.times == 1);
  reportUntil(progress, heard, "b", 5, 10);
  CHECK((heard.done == 15 && heard.total == 50));
  reportUntil(progress, heard, "a", 2, 40);
  CHECK((heard.done == 15 && heard.total == 50));
  reportUntil(progress, heard, "c", 1, 0);
  CHECK((heard.done == 16 && heard.total == 0));
}

TEST_CASE("who has gone hears nothing of progress") {
  ListingProgress progress;
  Heard first, second;
  auto kept = progress.observe(first.observer());
  const auto other = progress.observe(second.observer());
  progress.report("a", 1, 0, "");
  kept.reset();
  reportUntil(progress, second, "a", 2, 0);
  CHECK((first.times == 1 && first.what == "a"));
  CHECK(second.times == 2);
}
