// SPDX-License-Identifier: Apache-2.0
// Tests writers that die at any instant, write at the same time, or run out of space, with
// concurrent readers. Kills 20 times, or 500 times with SKILLHOST_LONG_TESTS=1.
#include "catch2.hpp"
#include "long_tests.hpp"

#include "fixture.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <random>
#include <thread>

using namespace skillhost::store;
using namespace store_test;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

// Large enough that saving takes a while.
Content contentOf(int number) {
  Content content = smallSkill("Version " + std::to_string(number) + ".");
  for (int i = 0; i < 20; ++i)
    content.files.push_back(
        {"f" + std::to_string(i), std::string(5'000, static_cast<char>('a' + number % 26))});
  return content;
}

// True if the content is complete and was saved by a writer.
bool isWhole(const LoadedSkill &skill) {
  const auto files = filesIn(skill);
  for (int number = 0; number < 26; ++number) {
    Content content = contentOf(number);
    std::vector<std::pair<std::string, std::string>> expected;
    for (const File &file : content.files) expected.emplace_back(file.path, file.bytes);
    std::sort(expected.begin(), expected.end());
    if (files == expected) return true;
  }
  return false;
}

SaveOptions keeping(std::size_t versions) {
  SaveOptions options;
  options.keep = versions;
  return options;
}

// Starts a process that runs `body` and ends with 0, or with 1 if it throws.
template <class Body> pid_t start(Body &&body) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int code = 1;
  try {
    body();
    code = 0;
  } catch (const std::exception &why) {
    const std::string line = std::string(why.what()) + '\n';
    [[maybe_unused]] const ssize_t written = ::write(2, line.data(), line.size());
  }
  ::_exit(code);
}

int endOf(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

void requireChildren(const std::vector<pid_t> &children) {
  for (const pid_t child : children) REQUIRE(endOf(child) == 0);
}

// Lets the writer save at least once, and then continue for a random time of up to 30 ms.
void killSomewhere(pid_t child, int saved, std::mt19937 &random) {
  char byte = 0;
  REQUIRE(::read(saved, &byte, 1) == 1);
  const timespec instant{0, static_cast<long>(random() % 30'000'000)};
  ::ppoll(nullptr, 0, &instant, nullptr); // a random time to kill, not a synchronisation
  ::kill(child, SIGKILL);
  CHECK(WTERMSIG(endOf(child)) == SIGKILL);
}

} // namespace

TEST_CASE("a writer killed at any instant leaves the old version or the new one") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  const int rounds = longTests() ? 500 : 20;
  std::mt19937 random(std::random_device{}());
  int rubbish = 0;
  for (int round = 0; round < rounds; ++round) {
    std::array<int, 2> saved{};
    REQUIRE(::pipe(saved.data()) == 0);
    const pid_t child = start([&] {
      for (int number = round;; ++number) {
        store.save("pdf", contentOf(number % 26), keeping(1U + static_cast<unsigned>(number) % 3U));
        [[maybe_unused]] const ssize_t told = ::write(saved[1], "s", 1);
      }
    });
    ::close(saved[1]);
    killSomewhere(child, saved[0], random);
    ::close(saved[0]);
    if (fs::exists(folder.at("skills/.skillhost-new")) ||
        fs::exists(folder.at("skills/.skillhost-gone")))
      ++rubbish;
    CHECK(store.names() == std::vector<std::string>{"pdf"});
    for (const std::uint64_t version : store.versions("pdf"))
      REQUIRE(isWhole(store.load("pdf", version)));
  }
  WARN(rounds << " kills, " << rubbish << " in the middle of a change");
  store.save("csv", contentOf(1));
  CHECK_FALSE(fs::exists(folder.at("skills/.skillhost-new")));
  CHECK_FALSE(fs::exists(folder.at("skills/.skillhost-gone")));
}

TEST_CASE("several processes save at once, and readers see one whole version or another") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  store.save("pdf", contentOf(0));
  std::vector<pid_t> writers;
  for (int writer = 0; writer < 3; ++writer)
    writers.push_back(start([&] {
      for (int i = 0; i < 10; ++i) {
        store.save("pdf", contentOf((writer * 10 + i) % 26));
        store.save("own-" + std::to_string(writer), contentOf(i), keeping(4));
      }
    }));
  const pid_t reader = start([&] {
    for (int i = 0; i < 200; ++i)
      if (!isWhole(store.load("pdf"))) throw std::runtime_error("half a version was read");
  });
  writers.push_back(reader);
  requireChildren(writers);
  CHECK(store.names() == std::vector<std::string>{"own-0", "own-1", "own-2", "pdf"});
  CHECK(isWhole(store.load("pdf")));
  CHECK(store.versions("pdf").size() == 1);
  for (const char *name : {"own-0", "own-1", "own-2"}) {
    CHECK(store.versions(name) == std::vector<std::uint64_t>{10, 9, 8, 7});
    for (const std::uint64_t version : store.versions(name))
      CHECK(isWhole(store.load(name, version)));
  }
}

TEST_CASE("without space nothing is saved, and what was there stays") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  store.save("pdf", contentOf(1));
  const std::string checksum = store.load("pdf").checksum;
  const pid_t child = start([&] {
    // The file cannot grow, as on a full disk.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{2'000, 2'000};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const Refusal refused = refusalOf([&] { store.save("pdf", contentOf(2)); });
    if (refused.problem != Problem::Failed || !refused.thrown ||
        refused.message.find("pdf was not saved: ") != 0 ||
        refused.message.find("vfs.json: cannot be written") == std::string::npos)
      throw std::runtime_error("unexpected: " + refused.message);
  });
  CHECK(endOf(child) == 0);
  CHECK(store.load("pdf").checksum == checksum);
  CHECK_FALSE(fs::exists(folder.at("skills/.skillhost-new")));
}

TEST_CASE("a store that may only be read is read, and says why it is not written") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"), keyed(3));
  store.save("pdf", contentOf(1));
  fs::permissions(folder.at(), fs::perms(0755));
  fs::permissions(folder.at("skills"), fs::perms(0555));
  constexpr uid_t nobody = 65'534;
  const bool root = ::geteuid() == 0; // no mode restricts root
  if (root) fs::permissions(folder.at("skills/pdf/1/checksum.blake3"), fs::perms(0644));
  const pid_t child = start([&] {
    if (root && ::setuid(nobody) != 0) throw std::runtime_error("cannot become nobody");
    if (!isWhole(store.load("pdf"))) throw std::runtime_error("half a version was read");
    const std::array<Refusal, 3> refused{refusalOf([&] { store.save("pdf", contentOf(2)); }),
                                         refusalOf([&] { store.remove("pdf"); }),
                                         refusalOf([&] { store.save("csv", contentOf(2)); })};
    for (const Refusal &one : refused)
      if (one.problem != Problem::Denied || one.message.find("skills") == std::string::npos)
        throw std::runtime_error("unexpected: " + one.message);
  });
  CHECK(endOf(child) == 0);
  fs::permissions(folder.at("skills"), fs::perms(0755));
}
