// SPDX-License-Identifier: Apache-2.0
// Kills a process at random instants of indexing. The index must then serve everything that some
// commit made visible. SKILLHOST_LONG_TESTS=1 repeats it two hundred times instead of ten.
#include "entries.hpp"
#include "long_tests.hpp"
#include "temporary_folder.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

using namespace skillhost::keyword;

namespace {

// Never returns. The generation holds the seed and the number of commits, from which the test
// computes the expected entries.
[[noreturn]] void indexUntilKilled(const std::string &folder, unsigned seed, int ready) {
  Index index({}, folder);
  std::mt19937 random(seed);
  for (int commit = 0;; ++commit) {
    for (int change = 0; change < 6; ++change) {
      const int number = static_cast<int>(random() % 300);
      if (random() % 4 == 0)
        index.remove(entries::idOf(number));
      else
        entries::put(index, number, static_cast<int>(random() % 50));
    }
    index.commit(std::to_string(seed) + "-" + std::to_string(commit));
    if (commit % 5 == 4) index.waitUntilKept(); // otherwise little would be kept when it is killed
    if (::write(ready, "c", 1) != 1) ::_exit(1);
  }
}

// Applies the changes of `commits` commits to `held`.
entries::Held after(entries::Held held, unsigned seed, int commits) {
  std::mt19937 random(seed);
  for (int change = 0; change < 6 * commits; ++change) {
    const int number = static_cast<int>(random() % 300);
    if (random() % 4 == 0)
      held.erase(entries::idOf(number));
    else
      held[entries::idOf(number)] = std::to_string(random() % 50);
  }
  return held;
}

} // namespace

TEST_CASE("killed at any instant, the index serves a whole commit") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  const unsigned rounds = longTests() ? 200 : 10;
  std::mt19937 random(42);
  entries::Held held;
  std::string generation;
  int progressed = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::close(ready[0]);
      indexUntilKilled(folder, round, ready[1]);
    }
    ::close(ready[1]);
    char byte = 0;
    for (auto commits = random() % 20; commits > 0; --commits)
      REQUIRE(::read(ready[0], &byte, 1) == 1);
    // At most 10 ms, so that it may fall between two commits.
    const timespec instant{0, static_cast<long>(random() % 10'000'000)};
    ::nanosleep(&instant, nullptr);
    REQUIRE(::kill(child, SIGKILL) == 0);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    ::close(ready[0]);

    std::vector<std::string> told;
    const Index index({}, folder, [&](Notice, const std::string &text) { told.push_back(text); });
    INFO("round " << round << ", generation " << index.generation());
    CHECK(told.empty());
    if (index.generation() != generation) {
      generation = index.generation();
      const std::size_t dash = generation.find('-');
      REQUIRE(generation.substr(0, dash) == std::to_string(round));
      held = after(std::move(held), round, std::stoi(generation.substr(dash + 1)) + 1);
      ++progressed;
    }
    REQUIRE(entries::heldBy(index) == held);
    entries::checkSame(index, *entries::freshOf(held));
  }
  CHECK(progressed > 0);
}
