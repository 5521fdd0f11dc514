// SPDX-License-Identifier: Apache-2.0
// Kills processes at random instants of indexing. The index must then serve everything that some
// commit made visible. SKILLHOST_LONG_TESTS=1 repeats it twenty times as often.
#include "entries.hpp"
#include "long_tests.hpp"
#include "temporary_folder.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

// The entries that every process wants with this commit.
entries::Held wantedAt(int commit) {
  entries::Held wanted;
  for (int each = 0; each <= commit; ++each)
    wanted = after(std::move(wanted), 1000U + static_cast<unsigned>(each), 1);
  return wanted;
}

bool findsTheSame(const Index &left, const Index &right) {
  for (const char *question : {"air quality", "convert pdf documents. review the release notes",
                               "healthcare", "rare3", "qualty databse", "k1 code"}) {
    const auto one = left.query(question, {}, 30);
    const auto two = right.query(question, {}, 30);
    if (!std::equal(one.begin(), one.end(), two.begin(), two.end(),
                    [](const auto &a, const auto &b) {
                      return a.id == b.id && a.score == b.score && a.snippet == b.snippet;
                    }))
      return false;
  }
  return true;
}

enum Fault : std::uint8_t { Warned = 3, KeptOther, ShowsOther, FindsOther, NotHeard };

// Goes on with what is kept, as a server does. Never returns; a fault is its exit code.
[[noreturn]] void shareUntilKilled(const std::string &folder, int ready) {
  Index index({}, folder, [](Notice notice, const std::string &) {
    if (notice == Notice::Warning || notice == Notice::NotKept) ::_exit(Warned);
  });
  entries::Held held = entries::heldBy(index);
  int commit = index.generation().empty() ? -1 : std::stoi(index.generation());
  if (held != wantedAt(commit)) ::_exit(KeptOther);
  for (;;) {
    entries::Held wanted = after(held, 1000U + static_cast<unsigned>(++commit), 1);
    for (const auto &[id, revision] : wanted)
      if (const auto known = held.find(id); known == held.end() || known->second != revision)
        entries::put(index, std::stoi(id.substr(2)), std::stoi(revision));
    for (const auto &[id, revision] : held)
      if (!wanted.contains(id)) index.remove(id);
    held = std::move(wanted);
    index.commit(std::to_string(commit));
    if (entries::heldBy(index) != held) ::_exit(ShowsOther);
    if (commit % 5 == 4) index.waitUntilKept();
    if (commit % 11 == 0 && !findsTheSame(index, *entries::freshOf(held))) ::_exit(FindsOther);
    if (::write(ready, "c", 1) != 1) ::_exit(NotHeard);
  }
}

} // namespace

TEST_CASE("of processes that share an index, any may be killed at any instant") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  const int rounds = longTests() ? 1000 : 50;
  std::mt19937 random(43);
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  std::vector<pid_t> children;
  const auto kill = [&] {
    const auto victim = children.begin() + static_cast<std::ptrdiff_t>(random() % children.size());
    REQUIRE(::kill(*victim, SIGKILL) == 0);
    int status = 0;
    REQUIRE(::waitpid(*victim, &status, 0) == *victim);
    INFO("exit code " << WEXITSTATUS(status));
    REQUIRE(WIFSIGNALED(status));
    children.erase(victim);
  };
  for (int round = 0; round < rounds; ++round) {
    INFO("round " << round);
    while (children.size() < 3) {
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) shareUntilKilled(folder, ready[1]);
      children.push_back(child);
    }
    char byte = 0;
    for (auto commits = random() % 30; commits > 0; --commits)
      REQUIRE(::read(ready[0], &byte, 1) == 1);
    const timespec instant{0, static_cast<long>(random() % 10'000'000)};
    ::nanosleep(&instant, nullptr);
    kill();
  }
  while (!children.empty()) kill();
  ::close(ready[0]);
  ::close(ready[1]);
  std::vector<std::string> told;
  const Index index({}, folder, [&](Notice, const std::string &text) { told.push_back(text); });
  CHECK(told.empty());
  REQUIRE(!index.generation().empty());
  const int commit = std::stoi(index.generation());
  CHECK(commit > rounds); // they went on with the work of those that were killed
  REQUIRE(entries::heldBy(index) == wantedAt(commit));
  entries::checkSame(index, *entries::freshOf(wantedAt(commit)));
}

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
