// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "fixture.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <thread>

using namespace skillhost::filesystem::test;

namespace {

constexpr int rounds = 150;

// Every revision must name one content. This compares the bytes that readers got for each.
class Ledger {
public:
  bool agrees(const std::string &revision, const std::string &bytes) {
    const std::scoped_lock lock(mutex_);
    return contents_.emplace(revision, bytes).first->second == bytes;
  }

private:
  std::mutex mutex_;
  std::map<std::string, std::string> contents_;
};

void overwriteInPlace(const Tree &tree, char letter) {
  const std::string text(40'000, letter);
  const int file = ::open(tree.at("x/a").c_str(), O_WRONLY);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count =
        ::pwrite(file, text.data() + written, 10'000, static_cast<off_t>(written));
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  ::close(file);
}

} // namespace

TEST_CASE("one revision never has two contents, whoever writes meanwhile") {
  const Tree tree;
  tree.skill("x");
  tree.write("x/a", std::string(40'000, 'a'));
  Instance instance(tree);
  Ledger ledger;
  std::atomic<bool> writing = true;
  std::atomic<int> wrong = 0, good = 0, unexpected = 0;
  std::thread writer([&] {
    for (int round = 0; writing; ++round) {
      const char letter = static_cast<char>('a' + round % 26);
      if (round % 3 == 2) {
        tree.write("x/next", std::string(40'000, letter));
        tree.rename("x/next", "x/a");
      } else {
        overwriteInPlace(tree, letter);
      }
    }
  });
  std::vector<std::thread> readers;
  readers.reserve(3);
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const Listing listing = instance.list();
        const auto found = listing.documents.find("x:a");
        if (listing.status != SKH_OK || found == listing.documents.end()) {
          ++unexpected;
          continue;
        }
        for (int again = 0; again < 3; ++again) {
          const ReadBack back = instance.read("x:a", found->second.revision);
          if (back.status == SKH_STALE) continue;
          if (back.status != SKH_OK) ++unexpected;
          ++good;
          if (!ledger.agrees(found->second.revision, back.bytes)) ++wrong;
        }
      }
    });
  }
  for (std::thread &reader : readers) reader.join();
  writing = false;
  writer.join();
  CHECK(wrong == 0);
  CHECK(unexpected == 0);
  const Listing quiet = instance.list();
  CHECK(instance.read("x:a", quiet.documents.at("x:a").revision).status == SKH_OK);
}
