// SPDX-License-Identifier: Apache-2.0
// Tests the file of approvals: equal decisions result in equal bytes, they are read as they were
// written, and a file that somebody has edited wrongly is refused as a whole.
#include "catch2.hpp"
#include "review/approvals.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>
#include <vector>

using namespace skillhost;

namespace {

const std::string zeros(64, '0'), ones(64, '1');

Decision approval(const std::string &who) {
  Decision decision;
  decision.verdict = Verdict::Approve;
  decision.files = {{"SKILL.md", {zeros, 10, false}}, {"run.sh", {ones, 20, true}}};
  decision.digest = contentDigest(decision.files);
  decision.who = who;
  decision.when = 1'700'000'000;
  decision.reason = "read \"all\" of it\n";
  decision.expires = 1'900'000'000;
  return decision;
}

std::string textOfFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Returns the text of one approval with a passage replaced.
std::string edited(const std::string &from, const std::string &to) {
  Approvals approvals;
  approvals.skills["hub/pdf"] = approval("ada");
  std::string text = approvals.text();
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string &text) {
  const Result<Approvals> read = Approvals::parse(text, "a.json");
  return read ? "it was read" : read.failure().message;
}

} // namespace

TEST_CASE("decisions are read as they were written, and come to the same bytes") {
  Approvals approvals;
  approvals.skills["hub/z"] = approval("ada");
  approvals.skills["hub/a/b"] = approval("béla");
  Decision rejection;
  rejection.who = "cy";
  approvals.skills["other/x"] = rejection;
  const std::string text = approvals.text();
  const Result<Approvals> read = Approvals::parse(text, "a.json");
  REQUIRE(read);
  CHECK(*read == approvals);
  CHECK(read->text() == text);
  CHECK(text.find("hub/a/b") < text.find("hub/z"));
  CHECK(Approvals::parse(Approvals().text(), "a.json"));
}

TEST_CASE("the digest of a skill is another one whenever a byte, a path or a bit is") {
  const LockedSkill files = approval("ada").files;
  const auto with = [&](auto change) {
    LockedSkill other = files;
    change(other);
    return contentDigest(other);
  };
  const std::string digest = contentDigest(files);
  CHECK(digest.size() == 71);
  CHECK(contentDigest(files) == digest);
  CHECK(with([](LockedSkill &f) { f["run.sh"].executable = false; }) != digest);
  CHECK(with([](LockedSkill &f) { f["run.sh"].size = 21; }) != digest);
  CHECK(with([](LockedSkill &f) { f["run.sh"].digest = zeros; }) != digest);
  CHECK(with([](LockedSkill &f) { f.erase("run.sh"); }) != digest);
  CHECK(with([](LockedSkill &f) { f["x"] = {}; }) != digest);
  // Facts that are swapped between two paths change the digest.
  CHECK(contentDigest({{"a", {zeros, 1, false}}, {"b", {ones, 2, false}}}) !=
        contentDigest({{"a", {ones, 1, false}}, {"b", {zeros, 2, false}}}));
}

TEST_CASE("what was edited wrongly is refused, with line, entry and what is wrong") {
  CHECK(refusal(edited("", "")) == "it was read");
  CHECK(refusal(edited("\"approve\"", "\"aprove\"")) ==
        "a.json:5: skills.\"hub/pdf\".verdict: must be \"approve\" or \"reject\", is \"aprove\"");
  CHECK(refusal(edited("\"who\"", "\"whom\"")).find("a.json:7: skills.\"hub/pdf\".whom: unknown") ==
        0);
  CHECK(refusal(edited("\"expires\": \"2030", "\"expires\": \"soon")).find(".expires: \"soon") !=
        std::string::npos);
  // A misspelt word must not result in an approval that never ends.
  CHECK(refusal(edited("\"expires\"", "\"expire\"")).find(".expire: unknown") != std::string::npos);
  CHECK(refusal(edited("\"size\": 10", "\"size\": 11"))
            .find(".digest: the digest does not match the files") != std::string::npos);
  CHECK(refusal(edited(zeros, ones)).find(".digest: ") != std::string::npos);
  CHECK(refusal(edited("\"blake3\": \"0", "\"blake3\": \"g")).find("files.\"SKILL.md\"") !=
        std::string::npos);
  CHECK(refusal(edited("\"SKILL.md\"", "\"../SKILL.md\"")).find("a path that") !=
        std::string::npos);
  CHECK(refusal(edited("hub/pdf", "pdf")).find("a skill is named <source>/<path>") !=
        std::string::npos);
  CHECK(refusal(edited("\"skillhost.approvals\": 1", "\"skillhost.approvals\": 2"))
            .find("written by a newer skillhost (version 2)") != std::string::npos);
  CHECK(refusal(edited("\"skills\"", "\"skill\"")).find("\"skill\": unknown") != std::string::npos);
  CHECK(refusal(edited("\"who\": \"ada\",", "\"who\": \"ada\"")).find("a.json:8: not JSON") == 0);
  CHECK(refusal("<<<<<<< HEAD\n{}").find("a.json:1: not JSON") == 0);
  CHECK(refusal("[]").find("this is not a file of approvals") != std::string::npos);
  CHECK(refusal("").find("not JSON") != std::string::npos);
}

TEST_CASE("one skill that is decided twice, as after a merge, is refused") {
  Approvals approvals;
  approvals.skills["hub/a"] = approval("ada");
  approvals.skills["hub/b"] = approval("bob");
  std::string text = approvals.text();
  text.replace(text.find("hub/b"), 5, "hub/a");
  CHECK_FALSE(Approvals::parse(text, "a.json"));
}

TEST_CASE("an approval without files is none, a rejection need not have any") {
  const std::string begin = "{\"skillhost.approvals\": 1, \"skills\": {\"s/a\": {\"verdict\": \"",
                    end = "\", \"who\": \"x\", \"when\": \"2026-01-01T00:00:00Z\"}}}";
  CHECK(Approvals::parse(begin + "reject" + end, "a.json"));
  CHECK(refusal(begin + "approve" + end).find("an approval must name the files") !=
        std::string::npos);
}

TEST_CASE("reviewers at once lose nothing, and what is damaged stays as it is") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/approvals.json";
  constexpr int writers = 4, each = 8;
  std::vector<std::thread> threads;
  std::vector<int> failed(writers, 0);
  for (int writer = 0; writer < writers; ++writer)
    threads.emplace_back([&, writer] {
      for (int i = 0; i < each; ++i) {
        const std::string name = "s/" + std::to_string(writer) + "-" + std::to_string(i);
        const auto written = changeApprovals(file, [&](Approvals &approvals) -> Status {
          approvals.skills[name] = approval("ada");
          return Done{};
        });
        failed[static_cast<std::size_t>(writer)] += written ? 0 : 1;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(failed == std::vector<int>(writers, 0));
  const Result<Approvals> read = Approvals::read(file);
  REQUIRE(read);
  CHECK(read->skills.size() == writers * each);
  std::ofstream(file, std::ios::app) << "x";
  const std::string damaged = textOfFile(file);
  CHECK_FALSE(changeApprovals(file, [](Approvals &) -> Status { return Done{}; }));
  CHECK(textOfFile(file) == damaged);
}

TEST_CASE("what could not be read again is not written") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/approvals.json";
  const auto write = [&](auto change) {
    return changeApprovals(file, [&](Approvals &approvals) -> Status {
      Decision decision = approval("ada");
      change(decision);
      approvals.skills["s/a"] = decision;
      return Done{};
    });
  };
  REQUIRE(write([](Decision &decision) { decision.who.assign(1'024, 'a'); }));
  const std::string good = textOfFile(file);
  const std::vector<std::function<void(Decision &)>> changes{
      [](Decision &decision) { decision.who.assign(1'025, 'a'); },
      [](Decision &decision) { decision.who.clear(); },
      [](Decision &decision) { decision.reason.assign(10'001, 'a'); },
      [](Decision &decision) { decision.expires = 253'402'300'800; },
      [](Decision &decision) { decision.files.clear(); }};
  for (const auto &change : changes) {
    const Result<Approvals> written = write(change);
    REQUIRE_FALSE(written);
    CHECK(written.failure().fault == Fault::InvalidInput);
    CHECK(textOfFile(file) == good);
  }
}
