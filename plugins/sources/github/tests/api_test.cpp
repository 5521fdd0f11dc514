// SPDX-License-Identifier: Apache-2.0
// Tests the parts of the API transport: tree objects, the writer of packs, the budget and the
// archive.
#include "catch2.hpp"
#include "fixture.hpp"

#include "github/api/budget.hpp"
#include "github/api/listing.hpp"
#include "github/git/object_writer.hpp"
#include "github/settings.hpp"

#include "archive/tar.hpp"
#include "archive/tar_stream.hpp"

#include <fstream>
#include <iterator>
#include <sstream>

using namespace skillhost::github;
namespace remote = skillhost::remote;
using skillhost::github::test::Folder;
using skillhost::github::test::Repository;

namespace {

constexpr std::int64_t now = 1'000'000;

remote::Operation unhurried() {
  return {[] { return false; }, remote::Operation::Clock::time_point::max(), 1'000'000};
}

// Returns the entries of one tree, as `git ls-tree` prints them.
std::vector<ListedEntry> entriesOf(const Repository &made, const std::string &tree) {
  std::vector<ListedEntry> entries;
  std::istringstream lines(made.git({"ls-tree", tree}));
  for (std::string mode, type, id, name;
       lines >> mode >> type >> id && std::getline(lines >> std::ws, name);)
    entries.insert(entries.begin(),
                   {name, id, static_cast<std::uint32_t>(std::stoul(mode, nullptr, 8))});
  return entries;
}

std::string refusalOf(const Budget &budget, std::int64_t when) {
  try {
    budget.requireOpen(when);
    return "";
  } catch (const remote::RemoteError &error) {
    return std::string(error.what()) + " " + std::to_string(error.retryAfter().value().count());
  }
}

std::string thrownBy(const std::function<void()> &body) {
  try {
    body();
    return "";
  } catch (const std::exception &error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("a tree object is made of its listing as git makes it, in whatever order it comes") {
  const Repository made;
  for (const char *path : {"a/b", "a.txt", "a-b/c", "b", "é/f", "Z", "a0"}) made.write(path, path);
  made.link("a.txt", "link");
  made.commit();
  for (const char *tree : {"HEAD^{tree}", "HEAD:a"})
    CHECK(idOf(ObjectKind::tree, treeBytes(entriesOf(made, tree))) ==
          made.git({"rev-parse", tree}));
  CHECK(idOf(ObjectKind::tree, treeBytes({})) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
}

TEST_CASE("a listing is read by folder, and refused when it is none") {
  const std::string id(40, '1');
  const auto listing = [&](const std::string &mode, const std::string &entry) {
    return R"({"sha": ")" + id + R"(", "truncated": true, "tree": [{"path": "a/b", "mode": ")" +
           mode + R"(", "sha": ")" + entry + R"(", "size": 7}]})";
  };
  const TreeListing read = readListing(listing("100755", id));
  CHECK(read.isTruncated);
  REQUIRE(read.at("a/b") != nullptr);
  CHECK(read.at("a/b")->bytes == 7);
  CHECK(read.at("a/b")->isBlob());
  CHECK(read.at("a") == nullptr);
  for (const std::string &body : {std::string("[]"), std::string("{"), listing("9", id),
                                  listing("100644", "../x"), listing("99999999999", id)})
    CHECK_THROWS_AS(readListing(body), remote::RemoteError);
}

TEST_CASE("only what hashes to its id is stored, and all of it at once") {
  const Folder folder;
  ObjectStore store(folder.at("store"));
  store.open();
  remote::Operation operation = unhurried();
  ObjectWriter writer(store, operation);
  const std::string id = idOf(ObjectKind::blob, "hello\n");
  CHECK(id == "ce013625030ba8dba906f756967f9e9ca394464a");
  CHECK_FALSE(writer.add(ObjectKind::blob, id, "hullo\n"));
  CHECK_FALSE(writer.add(ObjectKind::tree, id, "hello\n"));
  std::set<std::string> all{id};
  CHECK(writer.add(ObjectKind::blob, id, "hello\n"));
  for (int i = 0; i < 1'000; ++i) {
    // The text is long enough for git to store it as a delta to another one.
    const std::string text = std::string(200, 'x') + std::to_string(i);
    all.insert(idOf(ObjectKind::blob, text));
    CHECK(writer.add(ObjectKind::blob, idOf(ObjectKind::blob, text), text));
  }
  CHECK(store.missing(all) == all);
  writer.flush();
  CHECK(store.missing(all).empty());
  std::string read;
  store.read(id, [&](std::string_view bytes) { read = bytes; });
  CHECK(read == "hello\n");
  writer.flush(); // nothing to write
  CHECK(writer.add(ObjectKind::blob, id, "hello\n"));
  CHECK(writer.bytes() > 6);
}

TEST_CASE("a budget that is spent is kept over a restart, for whom it is counted") {
  const Folder folder;
  const std::string file = folder.at("budget.json");
  {
    Budget budget(file, "one");
    CHECK(refusalOf(budget, now).empty());
    budget.recordAnswer({60, 1, now + 100}, now);
    CHECK(refusalOf(budget, now).empty());
    budget.recordAnswer({60, 0, now + 100}, now);
    CHECK(refusalOf(budget, now).find("60 requests an hour") != std::string::npos);
    CHECK(refusalOf(budget, now).ends_with(" 100"));
    budget.recordAnswer({}, now); // an answer without the fields changes nothing
    budget.save();
  }
  CHECK(refusalOf(Budget(file, "one"), now + 99).ends_with(" 1"));
  CHECK(refusalOf(Budget(file, "one"), now + 100).empty());
  CHECK(Budget(file, "one").remaining(now + 100) == 60);
  CHECK(refusalOf(Budget(file, "two"), now).empty());
  // Another source of this process with the same account shares the budget.
  CHECK(refusalOf(Budget(folder.at("other.json"), "one"), now).ends_with(" 100"));
  // The file contains the budget of an earlier process.
  std::ifstream written(file);
  std::string text((std::istreambuf_iterator<char>(written)), {});
  text.replace(text.find("\"one\""), 5, "\"four\"");
  std::ofstream(folder.at("left.json")) << text;
  CHECK(refusalOf(Budget(folder.at("none.json"), "four"), now).empty());
  CHECK(refusalOf(Budget(folder.at("left.json"), "four"), now).ends_with(" 100"));
  // A clock that was set back by days does not close the API for days.
  CHECK(refusalOf(Budget(file, "one"), now - 200'000).empty());
}

TEST_CASE("an API that was asked too often is left alone for as long as it says") {
  const Folder folder;
  const std::string file = folder.at("budget.json");
  Budget budget(file, "three");
  CHECK_THROWS_AS(budget.throwRefused({60, 30, now + 900, std::chrono::seconds(40)}, now),
                  remote::RemoteError);
  CHECK(refusalOf(budget, now).ends_with(" 40"));
  CHECK_THROWS_AS(budget.throwRefused({}, now + 41), remote::RemoteError);
  CHECK(refusalOf(budget, now + 41).ends_with(" 60"));
  CHECK_THROWS_AS(budget.throwRefused({60, 0, now + 900}, now), remote::RemoteError);
  CHECK(refusalOf(Budget(file, "three"), now).ends_with(" 900"));
  CHECK_THROWS_AS(budget.throwRefused({-1, -1, -1, std::chrono::seconds(1'000'000)}, now),
                  remote::RemoteError);
  CHECK(refusalOf(budget, now).ends_with(" 86400"));
}

TEST_CASE("an archive is read while it comes, within limits") {
  const std::string tar = skillhost::archive::writeTar(
      {{"r/a", "first"}, {"r/b", std::string(5'000'000, 'x')}, {"r/c", "last"}});
  const auto read = [](const std::string &bytes, const skillhost::archive::StreamLimits &limits) {
    std::vector<std::size_t> sizes;
    std::size_t given = 0;
    skillhost::archive::readTarStream(
        [&] {
          const std::string_view part = std::string_view(bytes).substr(given, 10'000);
          given += part.size();
          return part;
        },
        limits, [&](std::string_view file) { sizes.push_back(file.size()); });
    return sizes;
  };
  CHECK(read(tar, {10, 10'000'000, 100, 1'000}) == std::vector<std::size_t>{5, 4});
  CHECK(read(tar, {10, 10'000'000, 100, 5'000'000}) == std::vector<std::size_t>{5, 5'000'000, 4});
  const auto refused = [&](const std::string &bytes,
                           const skillhost::archive::StreamLimits &limits) {
    return thrownBy([&] { read(bytes, limits); });
  };
  CHECK(refused(tar, {2, 10'000'000, 100, 1'000}) == "the archive has more than 2 entries");
  CHECK(refused(tar, {10, 1'000'000, 100, 1'000}) == "the archive holds more than 1000000 bytes");
  CHECK(refused(tar.substr(0, 9'000), {10, 10'000'000, 100, 5'000'000}).find("damaged") !=
        std::string::npos);
  CHECK(refused("no archive at all, but some text", {10, 10, 10, 10}).find("damaged") !=
        std::string::npos);
  CHECK(thrownBy([&] {
          skillhost::archive::readTarStream(
              []() -> std::string_view { throw remote::RemoteError("gone"); }, {10, 10, 10, 10},
              [](std::string_view) {});
        }) == "gone");
}

TEST_CASE("the API of a repository is found by its address") {
  const auto api = [](const std::string &more) {
    const Settings settings(std::string_view(R"({"via": "api", )" + more + "}"));
    return settings.apiUrl.url + " " + settings.apiRepository;
  };
  CHECK(api(R"("url": "o/n")") == "https://api.github.com /repos/o/n");
  CHECK(api(R"("url": "https://github.com/o/n.git")") == "https://api.github.com /repos/o/n");
  CHECK(api(R"("url": "o/n", "base_url": "https://git.example.org")") ==
        "https://git.example.org/api/v3 /repos/o/n");
  CHECK(api(R"("url": "https://house.ghe.com/o/n")") == "https://api.house.ghe.com /repos/o/n");
  CHECK(api(R"("url": "o/n", "api_url": "http://127.0.0.1:4000/")") ==
        "http://127.0.0.1:4000 /repos/o/n");
  for (const char *wrong :
       {R"("url": "git@github.com:o/n.git")", R"("url": "https://github.com/o")",
        R"("url": "https://github.com/a/b/c")", R"("url": "/srv/r.git")",
        R"("url": "o/n", "api_url": "http://example.org")",
        R"("url": "o/n", "api_url": "https://u:p@example.org")",
        R"("url": "o/n", "token": "a", "token_command": ["gh"])",
        R"("url": "o/n", "token_command": [""])"})
    CHECK_FALSE(thrownBy([&] { api(wrong); }).empty());
}
