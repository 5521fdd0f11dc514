// SPDX-License-Identifier: Apache-2.0
// Tests the parts of the git repository without a server: packets, objects, packs, compression and
// credentials. Where git is installed, it checks the packs.
#include "catch2.hpp"
#include "compression.hpp"
#include "ground/base64.hpp"
#include "marketplace.hpp"
#include "objects.hpp"
#include "pack_writer.hpp"
#include "packets.hpp"
#include "packs.hpp"
#include "password_exchange.hpp"
#include "recording_exchange.hpp"
#include "snapshots.hpp"
#include "steps.hpp"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

using namespace skillhost;
using namespace skillhost::git;

namespace {

constexpr const char *someId = "0123456789abcdef0123456789abcdef01234567";
constexpr const char *otherId = "ffffffffffffffffffffffffffffffffffffffff";

std::string packet(std::string_view text) {
  std::string out;
  appendPacket(out, text);
  return out;
}

std::string idText(const Object &object) { return hexOf(object.id); }

std::string bytesOf(const PackPieces &pieces) {
  std::string all;
  for (const auto &piece : pieces) all += *piece;
  return all;
}

struct GitFolder {
  GitFolder() { std::filesystem::create_directory(path); }
  ~GitFolder() { std::filesystem::remove_all(path); }
  GitFolder(const GitFolder &) = delete;
  GitFolder &operator=(const GitFolder &) = delete;
  void write(const std::string &name, std::string_view bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
  }
  // Runs a command of git in a repository of this folder.
  bool git(const std::string &words) const {
    const std::string command = "cd " + path.string() +
                                " && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null git " +
                                words + " >/dev/null 2>&1";
    // NOLINTNEXTLINE(cert-env33-c): the words are those of the test
    return std::system(command.c_str()) == 0;
  }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("git_parts_test." + std::to_string(::getpid()));
};

} // namespace

TEST_CASE("packets are read and written") {
  CHECK(packet("a\n") == "0006a\n");
  CHECK(packet("") == "0004");
  CHECK(packetLength(maxPacketBytes) == "fff0");
  CHECK(errorPacket("no") == "000aERR no");
  PacketReader reader("0006a\n0000000100040009hello");
  auto one = reader.next();
  REQUIRE(one);
  CHECK(one->kind == Packet::Kind::Text);
  CHECK(one->text == "a");
  CHECK(reader.next()->kind == Packet::Kind::Flush);
  CHECK(reader.next()->kind == Packet::Kind::Delimiter);
  CHECK(reader.next()->text.empty());
  CHECK(reader.next()->text == "hello");
  CHECK(reader.atEnd());
  CHECK_FALSE(reader.next());
}

TEST_CASE("malformed packets are refused") {
  for (const std::string_view bytes : {"0", "000", "0003", "0002", "0005", "zzzz", "-001", " 004",
                                       "000Ga", "fff1a", "ffff", "0009hell"})
    CHECK_FALSE(PacketReader(bytes).next());
}

TEST_CASE("a request of version 2 is read") {
  const std::string end = std::string(flushPacket);
  const auto list =
      readCommand(packet("command=ls-refs\n") + packet("agent=git/2\n") +
                  packet("object-format=sha1\n") + std::string(delimiterPacket) + packet("peel\n") +
                  packet("symrefs\n") + packet("ref-prefix refs/heads/\n") + end);
  REQUIRE(list);
  CHECK(std::get<ListRefs>(*list).symrefs);
  CHECK(std::get<ListRefs>(*list).prefixes == std::vector<std::string>{"refs/heads/"});
  CHECK(readCommand(packet("command=ls-refs") + end));

  const auto fetch = readCommand(
      packet("command=fetch") + std::string(delimiterPacket) + packet("thin-pack") +
      packet("no-progress") + packet("ofs-delta") + packet("include-tag") + packet("deepen 1\n") +
      packet("shallow " + std::string(someId)) + packet("want " + std::string(someId) + "\n") +
      packet("have " + std::string(otherId) + "\n") + packet("done\n") + end);
  REQUIRE(fetch);
  const Fetch &asked = std::get<Fetch>(*fetch);
  CHECK(asked.takesDeltas);
  CHECK(asked.noProgress);
  CHECK(asked.deepens);
  CHECK(asked.done);
  CHECK(asked.sideBand);
  REQUIRE(asked.wants.size() == 1);
  CHECK(hexOf(asked.wants[0]) == someId);
  REQUIRE(asked.steps.size() == 1);
  CHECK(hexOf(*asked.steps[0].have) == otherId);
}

TEST_CASE("other requests of version 2 are refused") {
  const std::string end(flushPacket), delimiter(delimiterPacket);
  const std::string fetch = packet("command=fetch\n") + delimiter;
  const std::string want = packet("want " + std::string(someId) + "\n");
  for (const std::string &body :
       {std::string(), std::string("0000"), std::string("garbage"), packet("command=push\n") + end,
        packet("hello") + end, packet("command=ls-refs\n"), packet("command=ls-refs\n") + delimiter,
        packet("command=ls-refs\n") + packet("object-format=sha256\n") + end, fetch + end,
        fetch + want, fetch + want + delimiter, fetch + packet("want 12\n") + end,
        fetch + want + packet("have x\n") + end, fetch + want + packet("filter blob:none\n") + end,
        fetch + packet("want " + std::string(someId) + "00\n") + end})
    CHECK_FALSE(readCommand(body));
  const auto failed = readCommand(fetch + want + packet("filter blob:none\n") + end);
  CHECK(failed.failure().message ==
        "the request is malformed: fetch has no argument such as filter blob:none");
}

TEST_CASE("a request of version 0 is read") {
  const std::string want = "want " + std::string(someId);
  const auto fetch = readFetch(
      packet(want + " multi_ack_detailed side-band-64k thin-pack no-progress agent=x\n") +
      packet(want + "\n") + packet("deepen 1\n") + std::string(flushPacket) +
      packet("have " + std::string(otherId) + "\n") + std::string(flushPacket) + packet("done\n"));
  REQUIRE(fetch);
  CHECK(fetch->wants.size() == 2);
  CHECK(fetch->detailedAcks);
  CHECK(fetch->sideBand);
  CHECK(fetch->takesDeltas);
  CHECK(fetch->noProgress);
  CHECK(fetch->deepens);
  CHECK(fetch->done);
  REQUIRE(fetch->steps.size() == 2);
  CHECK(fetch->steps[0].have);
  CHECK_FALSE(fetch->steps[1].have);
  CHECK(readFetch(flushPacket)->wants.empty());
  CHECK_FALSE(readFetch(packet(want + "\n") + std::string(flushPacket))->done);
  std::string rounds = packet(want + "\n") + std::string(flushPacket);
  for (int i = 0; i < 16; ++i) rounds += flushPacket;
  CHECK(readFetch(rounds)->steps.size() == 16);
  CHECK(readFetch(rounds + std::string(flushPacket)).failure().message ==
        "the request is malformed: it has more than 16 flush packets");
  for (const std::string &body :
       {std::string(), packet(want + "\n"), packet("have " + std::string(someId)) + "0000",
        packet(want + " object-format=sha256\n") + "0000",
        packet(want + "\n") + "0000" + packet("push"), packet(want + "\n") + "00000007",
        packet(want + "\n") + "0000" + packet("have 1\n"), packet(want + "\n") + "00000001"})
    CHECK_FALSE(readFetch(body));
}

TEST_CASE("a request has a limited number of steps") {
  std::string flushes, haves;
  for (int i = 0; i < 20; ++i) flushes += flushPacket;
  for (int i = 0; i < 30'000; ++i) haves += packet("have " + std::string(otherId) + "\n");
  const std::string want = packet("want " + std::string(someId) + "\n");
  CHECK_FALSE(readFetch(want + flushes + packet("done\n")));
  const auto old = readFetch(want + std::string(flushPacket) + haves + packet("done\n"));
  REQUIRE(old);
  CHECK(old->steps.size() == 20'000);
  CHECK(old->done);
  const auto fetch =
      readCommand(packet("command=fetch\n") + "0001" + want + haves + packet("done\n") + "0000");
  REQUIRE(fetch);
  CHECK(std::get<Fetch>(*fetch).steps.size() == 20'000);
  CHECK(std::get<Fetch>(*fetch).done);
}

TEST_CASE("ids are those of git") {
  CHECK(idText(makeObject(ObjectType::Blob, "")) == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  CHECK(idText(makeObject(ObjectType::Blob, "hello\n")) ==
        "ce013625030ba8dba906f756967f9e9ca394464a");
  CHECK(idText(makeTree({})) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  CHECK(hexOf(*idFromHex(someId)) == someId);
  for (const char *const wrong : {"", "12", "0123456789ABCDEF0123456789abcdef01234567",
                                  "0123456789abcdef0123456789abcdef0123456789"})
    CHECK_FALSE(idFromHex(wrong));
}

TEST_CASE("a tree has git's order, in which a folder ends with a slash") {
  const ObjectId id{};
  const Object tree = makeTree({{"a0", Mode::File, id},
                                {"a", Mode::Folder, id},
                                {"a-b", Mode::File, id},
                                {"a.c", Mode::Executable, id},
                                {"B", Mode::File, id}});
  std::string names;
  for (std::size_t at = 0; at < tree.content.size();) {
    const std::size_t nul = tree.content.find('\0', at);
    names += tree.content.substr(at, nul - at) + ';';
    at = nul + 1 + id.size();
  }
  CHECK(names == "100644 B;100644 a-b;100755 a.c;40000 a;100644 a0;");
}

TEST_CASE("a folder has each object once, and no two entries of one name") {
  const auto objects = makeFolder({{"SKILL.md", "text", false},
                                   {"copy/SKILL.md", "text", false},
                                   {"copy", "a file in place of a folder", false},
                                   {"SKILL.md/below", "a folder in place of a file", false},
                                   {"SKILL.md", "again", false}});
  REQUIRE(objects.size() == 3); // one blob and two trees
  CHECK(objects.back().type == ObjectType::Tree);
  const auto same = makeFolder({{"copy/SKILL.md", "text", false}, {"SKILL.md", "text", false}});
  CHECK(same.back().id == objects.back().id);
  CHECK(makeFolder({{"SKILL.md", "text", true}}).back().id !=
        makeFolder({{"SKILL.md", "text", false}}).back().id);
}

TEST_CASE("paths that git or a file system treats specially are unsafe") {
  for (const char *const path : {"",
                                 "/a",
                                 "a/",
                                 "a//b",
                                 ".",
                                 "..",
                                 "a/../b",
                                 ".git",
                                 "a/.GIT/config",
                                 ".git.",
                                 ".git ",
                                 "git~1",
                                 "a/GIT~2/x",
                                 ".gitmodules",
                                 ".GitAttributes",
                                 ".gitattributes ",
                                 "gi7eba~1",
                                 ".g\xe2\x80\x8cit",
                                 "a\\b",
                                 "a:b",
                                 "a\nb",
                                 "a\x7f",
                                 "a?b",
                                 "a*b",
                                 "a<b",
                                 "a>b",
                                 "a|b",
                                 "a\"b",
                                 "a.",
                                 "a ",
                                 "...",
                                 "a./b",
                                 "con",
                                 "a/NUL",
                                 "Aux.md",
                                 "prn .tar.gz",
                                 "com1.txt",
                                 "LPT9",
                                 "CONIN$"})
    CHECK_FALSE(isSafePath(path));
  CHECK_FALSE(isSafePath(std::string(256, 'a')));
  CHECK(isSafePath(std::string(255, 'a')));
  for (const char *const path :
       {"SKILL.md", "a/b/c.txt", ".gitignore", ".github/x.yml", "git", "...a", "a b", "\xc3\xa4.md",
        ".gitkeep", "console", "com0", "com10", "a.con"})
    CHECK(isSafePath(path));
  std::string deep = "a";
  for (int i = 0; i < 63; ++i) deep += "/a";
  CHECK(isSafePath(deep));
  CHECK_FALSE(isSafePath(deep + "/a"));
}

TEST_CASE("names of folders") {
  for (const char *const name : {"pdf", "a", "0", "team-a_b.c"}) CHECK(isFolderName(name));
  for (const char *const name :
       {"", "-a", ".a", "_a", "A", "a/b", "a b", "git~1", "..", "con", "\xc3\xa4"})
    CHECK_FALSE(isFolderName(name));
  CHECK(isFolderName(std::string(64, 'a')));
  CHECK_FALSE(isFolderName(std::string(65, 'a')));
}

TEST_CASE("the body of a request is unpacked within a limit") {
  // gzip -n of "hello\n"
  const std::string packed = *decodeBase64("H4sIAAAAAAAAA8tIzcnJ5wIAIDA6NgYAAAA=");
  REQUIRE(gunzip(packed, 6));
  CHECK(*gunzip(packed, 6) == "hello\n");
  CHECK(gunzip(packed, 5).failure().fault == Fault::TooLarge);
  for (std::size_t size = 0; size < packed.size(); ++size)
    CHECK_FALSE(gunzip(std::string_view(packed).substr(0, size), 100));
  CHECK_FALSE(gunzip(packed + 'x', 100));
  CHECK_FALSE(gunzip(packed + packed, 100));
  for (std::size_t at = 0; at < packed.size(); ++at) {
    if (at >= 4 && at < 10) continue; // a time and two bytes without a meaning here
    std::string wrong = packed;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x20);
    // The last compressed byte has bits without a meaning.
    const auto plain = gunzip(wrong, 100);
    CHECK((!plain || *plain == "hello\n"));
  }
  // With a name and a comment.
  std::string named = packed;
  named[3] = 0x18;
  named.insert(10, std::string("name\0comment\0", 13));
  CHECK(*gunzip(named, 6) == "hello\n");
}

TEST_CASE("8 MiB of the same byte are refused before they are unpacked") {
  Deflater deflater;
  std::string body(std::size_t{8} << 20U, 'a');
  const std::string zlib(deflater.deflate(body));
  // The same compressed bytes as a gzip file; its sum is never reached.
  const std::string packed =
      std::string("\x1f\x8b\x08\0\0\0\0\0\0\0", 10) + zlib.substr(2, zlib.size() - 6) + "12345678";
  CHECK(packed.size() < 20'000);
  CHECK(gunzip(packed, 1U << 20U).failure().fault == Fault::TooLarge);
}

TEST_CASE("git takes the packs") {
  const GitFolder place;
  if (!place.git("init -q --bare .")) return; // git is not installed
  std::string large, noise;
  for (int i = 0; i < 40'000; ++i) large += "line " + std::to_string(i) + "\n";
  std::uint32_t state = 1;
  for (int i = 0; i < 300'000; ++i)
    noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  std::vector<File> files{{"SKILL.md", large, false},
                          {"empty", "", false},
                          {"bin/run", "#!/bin/sh\n", true},
                          {"noise", noise, false},
                          {"one", "x", false}};
  const auto objects = makeFolder(std::move(files));
  std::vector<TreeEntry> entries;
  for (int i = 0; i < 500; ++i)
    entries.push_back({"skill-" + std::to_string(i), Mode::Folder, objects.back().id});
  const Object tree = makeTree(entries);
  const Object commit = makeCommit(tree.id);
  PackWriter writer(static_cast<std::uint32_t>(objects.size() + 2));
  for (const Object &object : objects) writer.add(object.type, object.content);
  writer.add(tree.type, tree.content);
  writer.add(commit.type, commit.content);
  const PackPieces pieces = writer.finish();
  CHECK(pieces.size() > 4);
  for (const auto &piece : pieces) CHECK(piece->size() <= pieceBytes);
  CHECK(bytesOf(pieces).size() == writer.bytes());
  place.write("whole.pack", bytesOf(pieces));
  CHECK(place.git("index-pack --strict --stdin < whole.pack"));
  CHECK(place.git("update-ref refs/heads/main " + idText(commit)));
  CHECK(place.git("fsck --strict --full"));
  place.write("large", large);
  CHECK(place.git("cat-file blob main:skill-7/SKILL.md | cmp - large"));

  SECTION("and a tree as the difference to another one") {
    // The first, some in the middle and the last entries differ, and some are gone or new.
    const Object blob = makeObject(ObjectType::Blob, "new");
    const Object folder = makeTree({{"SKILL.md", Mode::File, blob.id}});
    entries.front().id = entries[250].id = entries[251].id = entries.back().id = folder.id;
    entries.erase(entries.begin() + 300, entries.begin() + 303);
    entries.push_back({"a-new-one", Mode::Folder, folder.id});
    entries.push_back({"zz", Mode::Folder, folder.id});
    const Object next = makeTree(entries);
    const Object latest = makeCommit(next.id);
    PackWriter update(4);
    update.add(latest.type, latest.content);
    update.addDifference(tree.id, tree.content, next.content);
    update.add(folder.type, folder.content);
    update.add(blob.type, blob.content);
    const std::string thin = bytesOf(update.finish());
    CHECK(thin.size() < 1'000);
    place.write("thin.pack", thin);
    CHECK(place.git("index-pack --strict --fix-thin --stdin < thin.pack"));
    CHECK(place.git("update-ref refs/heads/next " + idText(latest)));
    CHECK(place.git("fsck --strict --full"));
    CHECK(place.git("cat-file -e next:zz/SKILL.md"));
  }
  SECTION("and a tree as the difference to no common entry") {
    const Object other = makeTree({{"other", Mode::Folder, objects.back().id}});
    PackWriter update(1);
    update.addDifference(tree.id, tree.content, other.content);
    place.write("thin.pack", bytesOf(update.finish()));
    CHECK(place.git("index-pack --strict --fix-thin --stdin < thin.pack"));
    CHECK(place.git("cat-file -e " + idText(other)));
  }
}

TEST_CASE("a pack counts as in memory until its answer is sent") {
  for (const bool sideBand : {false, true}) {
    const auto all = std::make_shared<std::atomic<std::size_t>>(0);
    auto pack = std::make_shared<Pack>();
    pack->pieces.push_back(std::make_shared<const std::string>(10'000, 'x'));
    pack->memory = std::make_unique<PackMemory>(all);
    CHECK(pack->memory->grow(10'000, 10'000));
    {
      const Fragments body = framed("head", pack, sideBand);
      CHECK(body.size() == (sideBand ? 4 + 5 + 10'000 + 4 : 4 + 10'000));
      pack.reset();
      CHECK(*all == 10'000);
    }
    CHECK(*all == 0);
  }
}

TEST_CASE("a password is a token") {
  const auto basic = [](std::string_view both) {
    return tokenOfBasic("Basic " + encodeBase64(both));
  };
  CHECK(basic("git:secret") == "secret");
  CHECK(basic("git:with:colon") == "with:colon");
  CHECK(basic("secret:") == "secret");
  CHECK(basic("secret") == "secret");
  CHECK(tokenOfBasic("bAsIc  " + encodeBase64("a:b")) == "b");
  for (const char *const other : {"", "Basic", "Basic ", "Basic !!", "Bearer abc", "Basic Og=="})
    CHECK(tokenOfBasic(other).empty());
}

TEST_CASE("the check of a credential sees a bearer token, and a refusal asks for a password") {
  const std::string sent = "Basic " + encodeBase64("git:secret");
  HttpRequest request;
  request.method = "GET";
  request.fields.push_back({"authorization", sent});
  const auto inner = std::make_shared<RecordingExchange>(request);
  PasswordExchange exchange(inner);
  CHECK(exchange.request().field("authorization") == "Bearer secret");
  exchange.respond({401, {}, {{"WWW-Authenticate", "Bearer"}}, {}});
  REQUIRE(inner->responses.size() == 1);
  REQUIRE(inner->responses[0].fields.size() == 2);
  CHECK(inner->responses[0].fields[1].second == "Basic realm=\"skillhost\", charset=\"UTF-8\"");
}

TEST_CASE("names of the marketplace") {
  for (const char *const name : {"skillhost", "team-skills", "a", "0"})
    CHECK(faultInMarketplaceName(name).empty());
  for (const char *const name : {"", "Team", "a b", "-a", "a-", "a--b", "a_b", "a/b"})
    CHECK_FALSE(faultInMarketplaceName(name).empty());
  CHECK(marketplaceText("team").find("\"name\": \"team\"") != std::string::npos);
}

TEST_CASE("jobs wait for their turn, and too many are refused") {
  const auto turns = std::make_shared<Turns>(1, 2);
  std::vector<Turns::Turn> held;
  int begun = 0;
  const auto job = [&](Turns::Turn turn) {
    ++begun;
    held.push_back(std::move(turn));
  };
  CHECK(turns->take(job));
  CHECK(turns->take(job));
  CHECK(turns->take(job));
  CHECK_FALSE(turns->take(job));
  CHECK(begun == 1);
  while (!held.empty()) {
    const Turns::Turn last = std::move(held.back());
    held.pop_back();
  }
  CHECK(begun == 3);
  CHECK(turns->take(job));
  CHECK(begun == 4);
}

namespace {

struct Counting final : Steps {
  int left = 100'000;
  std::function<void()> waiting;
  std::string failed;
  bool step(const std::function<void()> &next) override {
    if (left == 0) return false;
    if (--left == 50) throw std::runtime_error("no further");
    if (left == 60)
      waiting = next; // the answer comes later
    else
      next();
    return true;
  }
  void fail(Failure why) override { failed = why.message; }
};

} // namespace

TEST_CASE("steps go on when their answers come, and end with a fault") {
  const auto counting = std::make_shared<Counting>();
  counting->run();
  CHECK(counting->left == 60);
  CHECK(counting->failed.empty());
  std::exchange(counting->waiting, nullptr)(); // it owns the steps
  CHECK(counting->left == 50);
  CHECK_FALSE(counting->failed.empty());
  counting->run();
  CHECK(counting->left == 50);
}
