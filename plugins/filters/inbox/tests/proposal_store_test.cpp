// SPDX-License-Identifier: Apache-2.0
// Tests the folder of proposals: what is kept, decided and refused, also when files are in the way
// or a process was killed.
#include "catch2.hpp"
#include "inbox/proposal_store.hpp"
#include "temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>

using namespace skillhost;
using namespace skillhost::inbox;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t day = 86'400, now = 1'800'000'000;

std::string documentOf(const std::string &name, const std::string &text) {
  return "---\nname: " + name + "\ndescription: Does it.\n---\n" + text + '\n';
}

class House {
public:
  explicit House(std::size_t pending = 200, std::size_t own = 10, std::size_t kept = 1'000) {
    fs::create_directory(skills());
    StoreSettings settings;
    settings.folder = inbox();
    settings.skills = skills();
    settings.pending = pending;
    settings.pendingPerProposer = own;
    settings.kept = kept;
    store = std::make_unique<ProposalStore>(settings);
  }

  std::string inbox() const { return folder_.path() + "/inbox"; }
  std::string skills() const { return folder_.path() + "/skills"; }

  Result<Proposal> propose(const std::string &name, const std::string &text,
                           const std::string &who = "ada", std::int64_t when = now) const {
    Submission submission;
    submission.name = name;
    submission.note = "please";
    submission.proposer = {"https://issuer", who};
    submission.files = {{"SKILL.md", {documentOf(name, text)}},
                        {"scripts/run.sh", {"#!/bin/sh\n", true}}};
    return store->submit(std::move(submission), when);
  }

  Result<Proposal> decide(const std::string &id, bool approve, bool evenIfChanged = false,
                          const std::string &who = "rex") const {
    return store->decide({id, approve, "because", {"https://issuer", who}, evenIfChanged, true},
                         now + 10);
  }

  std::string served(const std::string &name) const {
    std::ifstream file(skills() + '/' + name + "/SKILL.md");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::vector<std::string> names() const { // in the inbox, without the lock
    std::vector<std::string> all;
    for (const auto &one : fs::directory_iterator(inbox()))
      if (one.path().filename() != ".lock") all.push_back(one.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }

  std::unique_ptr<ProposalStore> store;

private:
  TemporaryFolder folder_;
};

mode_t modeOf(const std::string &path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

} // namespace

TEST_CASE("a proposal is kept, and served only when it is approved") {
  const House house;
  const Result<Proposal> made = house.propose("pdf", "First.");
  REQUIRE(made);
  CHECK(isProposalId(made->id));
  CHECK(made->base.empty());
  CHECK(made->files == 2);
  CHECK(fs::is_empty(house.skills()));
  CHECK(modeOf(house.inbox()) == 0700);
  CHECK(modeOf(house.inbox() + '/' + made->id) == 0700);
  CHECK(modeOf(house.inbox() + '/' + made->id + "/.files/SKILL.md") == 0600);

  const auto content = house.store->find(made->id);
  REQUIRE(content);
  CHECK(content->files.at("scripts/run.sh").executable);
  CHECK_FALSE(content->before);
  CHECK(content->proposal.note == "please");
  CHECK(content->proposal.proposer == Person{"https://issuer", "ada"});

  const auto approved = house.decide(made->id, true);
  REQUIRE(approved);
  CHECK(approved->state == State::Approved);
  CHECK(house.served("pdf") == documentOf("pdf", "First."));
  CHECK((modeOf(house.skills() + "/pdf/scripts/run.sh") & 0100U) != 0);
  const auto again = house.decide(made->id, false);
  REQUIRE_FALSE(again);
  CHECK(again.failure().fault == Fault::Conflict);

  // Another object reads the same, as a process does after a restart.
  StoreSettings settings;
  settings.folder = house.inbox();
  settings.skills = house.skills();
  const auto list = ProposalStore(settings).list(now);
  REQUIRE(list);
  const auto *const all = &list->proposals;
  REQUIRE(all->size() == 1);
  CHECK(all->front().state == State::Approved);
  CHECK(all->front().reason == "because");
  CHECK(all->front().reviewer.subject == "rex");
}

TEST_CASE("a rejected proposal is not served") {
  const House house;
  const auto made = house.propose("pdf", "First.");
  REQUIRE(made);
  const auto rejected = house.decide(made->id, false);
  REQUIRE(rejected);
  CHECK(rejected->state == State::Rejected);
  CHECK(fs::is_empty(house.skills()));
  const auto late = house.decide(made->id, true);
  REQUIRE_FALSE(late);
  CHECK(late.failure().fault == Fault::Conflict);
}

TEST_CASE("the proposer cannot approve the own proposal, but may take it back") {
  const House house;
  const auto made = house.propose("pdf", "First.");
  REQUIRE(made);
  const auto own = house.decide(made->id, true, false, "ada");
  REQUIRE_FALSE(own);
  CHECK(own.failure().fault == Fault::Denied);
  CHECK(fs::is_empty(house.skills()));
  CHECK(house.decide(made->id, false, false, "ada"));
}

TEST_CASE("a change replaces the skill as a whole, and keeps what was there") {
  const House house;
  REQUIRE(house.decide(house.propose("pdf", "First.")->id, true));
  std::ofstream(house.skills() + "/pdf/notes.md") << "kept by hand";
  const auto change = house.propose("pdf", "Second.");
  REQUIRE(change);
  CHECK_FALSE(change->base.empty());
  REQUIRE(house.decide(change->id, true));
  CHECK(house.served("pdf") == documentOf("pdf", "Second."));
  CHECK_FALSE(fs::exists(house.skills() + "/pdf/notes.md"));
  CHECK(fs::exists(house.inbox() + '/' + change->id + "/.before/notes.md"));
  const auto content = house.store->find(change->id);
  REQUIRE(content);
  REQUIRE(content->before);
  CHECK(content->before->at("SKILL.md").bytes == documentOf("pdf", "First."));
  CHECK(content->before->contains("notes.md"));

  const auto equal = house.propose("pdf", "Second.");
  REQUIRE_FALSE(equal);
  CHECK(equal.failure().fault == Fault::AlreadyExists);
}

TEST_CASE("a skill that has changed since the proposal is replaced only on request") {
  const House house;
  REQUIRE(house.decide(house.propose("pdf", "First.")->id, true));
  const auto change = house.propose("pdf", "Second.");
  REQUIRE(change);
  std::ofstream(house.skills() + "/pdf/SKILL.md") << documentOf("pdf", "By hand.");
  CHECK(house.store->find(change->id)->isOutdated);
  const auto refused = house.decide(change->id, true);
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().fault == Fault::Conflict);
  CHECK(house.served("pdf") == documentOf("pdf", "By hand."));
  REQUIRE(house.decide(change->id, true, true));
  CHECK(house.served("pdf") == documentOf("pdf", "Second."));
  CHECK(house.store->find(change->id)->before->at("SKILL.md").bytes ==
        documentOf("pdf", "By hand."));
}

TEST_CASE("a decision on something else than what was shown is refused") {
  const House house;
  const auto decide = [&](const std::string &id, bool approve, const std::string &digest,
                          std::optional<std::string> base, bool evenIfChanged = false) {
    DecisionOnProposal decision;
    decision.id = id;
    decision.approve = approve;
    decision.reviewer = {"https://issuer", "rex"};
    decision.digest = digest;
    decision.base = std::move(base);
    decision.evenIfChanged = evenIfChanged;
    return house.store->decide(decision, now + 10);
  };
  const auto isConflict = [](const Result<Proposal> &decided) {
    return !decided && decided.failure().fault == Fault::Conflict;
  };
  const auto first = house.propose("pdf", "First.");
  REQUIRE(first);
  CHECK(house.store->find(first->id)->base.empty());
  for (const bool approve : {true, false})
    CHECK(isConflict(decide(first->id, approve, "blake3:of-something-else", std::nullopt)));
  CHECK(isConflict(decide(first->id, true, first->digest, "blake3:of-something-else")));
  REQUIRE(decide(first->id, true, first->digest, ""));

  // The skill changes twice: before the reviewer looks at the difference, and after that.
  const auto change = house.propose("pdf", "Second.");
  REQUIRE(change);
  std::ofstream(house.skills() + "/pdf/SKILL.md") << documentOf("pdf", "By hand.");
  const std::string seen = house.store->find(change->id)->base;
  CHECK(seen != change->base);
  CHECK(isConflict(decide(change->id, true, change->digest, seen)));
  std::ofstream(house.skills() + "/pdf/SKILL.md") << documentOf("pdf", "By hand, again.");
  CHECK(isConflict(decide(change->id, true, change->digest, seen, true)));
  CHECK(house.served("pdf") == documentOf("pdf", "By hand, again."));
  const auto shown = house.store->find(change->id);
  REQUIRE(shown);
  REQUIRE(decide(change->id, true, change->digest, shown->base, true));
  CHECK(house.served("pdf") == documentOf("pdf", "Second."));
}

TEST_CASE("the list counts findings, although it leaves them out") {
  const House house;
  Submission submission;
  submission.name = "pdf";
  submission.proposer = {"https://issuer", "ada"};
  submission.files = {{"SKILL.md", {documentOf("pdf", "First.")}}};
  submission.findings = Json::array({Json{{"severity", "warning"}}, Json{{"severity", "advice"}}});
  REQUIRE(house.store->submit(submission, now)->findingCount == 2);
  const auto list = house.store->list(now);
  REQUIRE(list);
  const auto *const all = &list->proposals;
  REQUIRE(all->size() == 1);
  CHECK(all->front().findings.empty());
  CHECK(proposalJson(all->front())["findings_total"] == 2);
}

TEST_CASE("proposals are limited for each proposer and in all") {
  const House house(3, 2);
  const auto first = house.propose("a", "A.");
  REQUIRE(first);
  REQUIRE(house.propose("b", "B."));
  const auto third = house.propose("c", "C.");
  REQUIRE_FALSE(third);
  CHECK(third.failure().fault == Fault::RateLimited);
  // A new version replaces the pending one, so that it needs no room.
  const auto better = house.propose("a", "Better.");
  REQUIRE(better);
  CHECK(house.store->find(first->id).failure().fault == Fault::NotFound);
  REQUIRE(house.propose("a", "Of another.", "bob"));
  const auto full = house.propose("d", "D.", "eve");
  REQUIRE_FALSE(full);
  CHECK(full.failure().fault == Fault::RateLimited);
  CHECK(house.store->list(now)->proposals.size() == 3);
  REQUIRE(house.decide(better->id, false));
  CHECK(house.propose("c", "C."));
}

TEST_CASE("the oldest decided proposals make room, and those that wait stay") {
  const House house(10, 10, 3);
  const auto waiting = house.propose("a", "A.", "ada", now);
  const auto first = house.propose("b", "B.", "ada", now + 1);
  const auto second = house.propose("c", "C.", "ada", now + 2);
  REQUIRE(house.decide(first->id, false));
  REQUIRE(house.decide(second->id, false));
  REQUIRE(house.propose("d", "D.", "ada", now + 3));
  CHECK_FALSE(house.store->find(first->id));
  CHECK(house.store->find(second->id));
  CHECK(house.store->find(waiting->id));
}

TEST_CASE("old proposals are deleted, and remains of killed processes too") {
  const House house;
  const auto old = house.propose("a", "A.", "ada", now - 91 * day);
  const auto young = house.propose("b", "B.", "ada", now - 89 * day);
  REQUIRE(old);
  REQUIRE(young);
  fs::create_directories(house.inbox() + "/draft-killed/.files/a");
  std::ofstream(house.inbox() + "/draft-killed/.files/a/SKILL.md") << "half";
  fs::create_directory(house.inbox() + "/notes");
  const auto list = house.store->list(now);
  REQUIRE(list);
  const auto *const all = &list->proposals;
  REQUIRE(all->size() == 1);
  CHECK(all->front().id == young->id);
  CHECK(house.names() == std::vector<std::string>{young->id, "notes"});
}

TEST_CASE("an approval that was interrupted can be finished, and not turned into a rejection") {
  const House house;
  REQUIRE(house.decide(house.propose("pdf", "First.")->id, true));
  const auto change = house.propose("pdf", "Second.");
  REQUIRE(change);
  // The process was killed after the exchange of the two folders.
  const std::string own = house.inbox() + '/' + change->id;
  fs::rename(house.skills() + "/pdf", own + "/.next");
  fs::copy(own + "/.files", house.skills() + "/pdf", fs::copy_options::recursive);
  const auto rejected = house.decide(change->id, false);
  REQUIRE_FALSE(rejected);
  CHECK(rejected.failure().fault == Fault::Conflict);
  REQUIRE(house.decide(change->id, true));
  CHECK(house.store->find(change->id)->before->at("SKILL.md").bytes == documentOf("pdf", "First."));

  // The process was killed before the exchange.
  const auto next = house.propose("pdf", "Third.");
  REQUIRE(next);
  fs::create_directory(house.inbox() + '/' + next->id + "/.next");
  std::ofstream(house.inbox() + '/' + next->id + "/.next/SKILL.md") << "half";
  REQUIRE(house.decide(next->id, true));
  CHECK(house.served("pdf") == documentOf("pdf", "Third."));
}

TEST_CASE("files that somebody changes in the inbox are not approved") {
  const House house;
  const auto made = house.propose("pdf", "First.");
  REQUIRE(made);
  const std::string file = house.inbox() + '/' + made->id + "/.files/SKILL.md";
  std::ofstream(file) << documentOf("pdf", "Another text.");
  const auto changed = house.decide(made->id, true);
  REQUIRE_FALSE(changed);
  CHECK(changed.failure().fault == Fault::Corrupt);
  fs::remove(file);
  fs::create_symlink("/etc/hostname", file);
  CHECK_FALSE(house.decide(made->id, true));
  CHECK_FALSE(house.store->find(made->id));
  CHECK(fs::is_empty(house.skills()));
  std::ofstream(house.inbox() + '/' + made->id + "/proposal.json") << "{}";
  CHECK(house.store->list(now)->proposals.empty());
}

TEST_CASE("a damaged proposal is not passed over in silence") {
  const House house;
  const auto good = house.propose("pdf", "First.");
  const auto bad = house.propose("csv", "First.");
  const auto other = house.propose("git", "First.");
  REQUIRE(other);
  const std::string own = house.inbox() + '/' + bad->id;
  std::ofstream(own + "/proposal.json") << "garbage";
  // The record of another proposal is none of this one.
  fs::copy_file(house.inbox() + '/' + good->id + "/proposal.json",
                house.inbox() + '/' + other->id + "/proposal.json",
                fs::copy_options::overwrite_existing);
  const auto list = house.store->list(now);
  REQUIRE(list);
  REQUIRE(list->proposals.size() == 1);
  CHECK(list->proposals.front().id == good->id);
  REQUIRE(list->unreadable.size() == 2);
  for (const auto &one : list->unreadable) {
    CHECK((one.id == bad->id || one.id == other->id));
    CHECK(one.why.find(house.inbox() + '/' + one.id + "/proposal.json") != std::string::npos);
    CHECK(one.why.ends_with("or delete the folder " + house.inbox() + '/' + one.id));
    CHECK(house.store->find(one.id).failure().message == one.why);
    CHECK(house.decide(one.id, false).failure().message == one.why);
  }
  CHECK(house.store->find(bad->id).failure().fault == Fault::Corrupt);
  CHECK(house.propose("new", "First."));
}

TEST_CASE("no link in the folder of the skills is followed") {
  const House house;
  const TemporaryFolder outside;
  std::ofstream(outside.path() + "/SKILL.md") << documentOf("pdf", "Outside.");
  fs::create_directory_symlink(outside.path(), house.skills() + "/pdf");
  const auto made = house.propose("pdf", "First.");
  REQUIRE_FALSE(made);
  CHECK(made.failure().fault == Fault::Conflict);

  const auto other = house.propose("csv", "First.");
  REQUIRE(other);
  fs::create_directory_symlink(outside.path(), house.skills() + "/csv");
  CHECK_FALSE(house.decide(other->id, true));
  CHECK(fs::is_symlink(house.skills() + "/csv"));
  fs::remove(house.skills() + "/csv");
  // A link inside a skill counts as a file, so that a changed link is a change.
  fs::create_directory(house.skills() + "/csv");
  fs::create_symlink("/etc/hostname", house.skills() + "/csv/link.md");
  const auto found = house.store->find(other->id);
  REQUIRE(found);
  CHECK(found->before->at("link.md").bytes == "link to /etc/hostname");
}

namespace {

void write(const std::string &path, const std::string &text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << text;
}

bool isConflictThat(const Result<Proposal> &decided, const std::string &says) {
  return !decided && decided.failure().fault == Fault::Conflict &&
         decided.failure().message.find(says) != std::string::npos;
}

// Proposes as somebody who does not see the skill.
Result<Proposal> proposeBlindly(const House &house, const std::string &name) {
  Submission submission;
  submission.name = name;
  submission.proposer = {"https://issuer", "ada"};
  submission.files = {{"SKILL.md", {documentOf(name, "Blind.")}}};
  return house.store->submit(std::move(submission), now, false);
}

} // namespace

TEST_CASE("skills in the folder of a skill are not compared, and no approval removes them") {
  const House house;
  REQUIRE(house.decide(house.propose("ops", "First.")->id, true));
  const std::string inside = house.skills() + "/ops/parts/deep/skill.MD";
  write(inside, documentOf("deep", "Inside."));
  write(house.skills() + "/ops/parts/deep/more/secret.md", "Inside.");
  write(house.skills() + "/ops/parts/own.md", "Of the skill.");
  const auto change = house.propose("ops", "Second.");
  REQUIRE(change);
  const auto shown = house.store->find(change->id);
  REQUIRE(shown);
  CHECK(shown->before->contains("parts/own.md"));
  CHECK(shown->before->size() == 3);
  CHECK(shown->obstacle.find("parts/deep") != std::string::npos);
  for (const bool evenIfChanged : {false, true})
    CHECK(isConflictThat(house.decide(change->id, true, evenIfChanged), ": parts/deep:"));
  CHECK(fs::exists(inside));
  CHECK(house.served("ops") == documentOf("ops", "First."));
  fs::remove_all(house.skills() + "/ops/parts/deep");
  CHECK(house.store->find(change->id)->obstacle.empty());
  CHECK(house.decide(change->id, true));
}

TEST_CASE("a folder of skills is not replaced by a skill of its name") {
  const House house;
  write(house.skills() + "/group/sub/SKILL.md", documentOf("sub", "Inside."));
  const auto made = house.propose("group", "First.");
  REQUIRE(made);
  CHECK(isConflictThat(house.decide(made->id, true), ": sub:"));
  CHECK(house.served("group/sub") == documentOf("sub", "Inside."));
  CHECK(house.decide(made->id, false));
}

TEST_CASE("files whose names begin with a dot are documents, and hidden folders are not lost") {
  const House house;
  REQUIRE(house.decide(house.propose("ops", "First.")->id, true));
  const std::string own = house.skills() + "/ops/";
  write(own + ".style.md", "Be short.");
  write(own + "parts/.more.md", "More.");
  for (const char *none : {".env", ".DS_Store", ".git/config", ".ssh/config"})
    write(own + none, "none");
  fs::create_directories(own + ".empty/below");
  const auto change = house.propose("ops", "Second.");
  REQUIRE(change);
  const auto shown = house.store->find(change->id);
  REQUIRE(shown);
  CHECK(shown->before->contains(".style.md"));
  CHECK(shown->before->contains("parts/.more.md"));
  CHECK(shown->before->size() == 4);
  CHECK(shown->obstacle.empty());
  write(own + ".rules/below/a.md", "A rule.");
  CHECK(house.store->find(change->id)->before->size() == 4);
  for (const bool evenIfChanged : {false, true})
    CHECK(isConflictThat(house.decide(change->id, true, evenIfChanged), ": .rules:"));
  CHECK(fs::exists(own + ".rules/below/a.md"));
  fs::remove_all(own + ".rules");
  CHECK(house.decide(change->id, true));

  Submission submission;
  submission.name = "dots";
  submission.proposer = {"https://issuer", "ada"};
  submission.files = {{"SKILL.md", {documentOf("dots", "First.")}}, {".style.md", {"Be short."}}};
  const auto dots = house.store->submit(std::move(submission), now);
  REQUIRE(dots);
  REQUIRE(house.decide(dots->id, true));
  CHECK(fs::exists(house.skills() + "/dots/.style.md"));
}

TEST_CASE(
    "a proposal is taken whatever is in the place of a skill that its proposer does not see") {
  const House house;
  const TemporaryFolder outside;
  fs::create_directory_symlink(outside.path(), house.skills() + "/linked");
  fs::create_directory(house.skills() + "/large");
  for (int i = 0; i < 2'001; ++i)
    std::ofstream(house.skills() + "/large/" + std::to_string(i) + ".md") << "x";
  for (const char *name : {"linked", "large"}) {
    CHECK_FALSE(house.propose(name, "First."));
    const auto made = proposeBlindly(house, name);
    REQUIRE(made);
    CHECK_FALSE(made->sawSkill);
    const auto found = house.store->find(made->id);
    REQUIRE(found);
    CHECK(found->isUnreadable);
    CHECK_FALSE(found->obstacle.empty());
    CHECK_FALSE(house.decide(made->id, true, true));
    CHECK(house.decide(made->id, false));
  }
  CHECK(fs::is_symlink(house.skills() + "/linked"));
  // An unknown base is never that of a skill which comes later.
  const auto again = proposeBlindly(house, "linked");
  REQUIRE(again);
  fs::remove(house.skills() + "/linked");
  CHECK(isConflictThat(house.decide(again->id, true), "has changed"));
}

TEST_CASE("a proposal remembers whether its proposer saw the skill") {
  const House house;
  const auto first = house.propose("pdf", "First.");
  REQUIRE(first);
  CHECK_FALSE(house.store->find(first->id)->proposal.sawSkill); // there was none
  REQUIRE(house.decide(first->id, true));
  const auto seen = house.propose("pdf", "Second.");
  REQUIRE(seen);
  CHECK(house.store->find(seen->id)->proposal.sawSkill);
  const auto blind = proposeBlindly(house, "pdf");
  REQUIRE(blind);
  CHECK_FALSE(house.store->find(blind->id)->proposal.sawSkill);
  // A record of an earlier version does not say it.
  Json record = Json::parse(recordOf(house.store->find(blind->id)->proposal));
  record["saw_skill"] = true;
  CHECK(proposalFrom(record.dump())->sawSkill);
  record.erase("saw_skill");
  CHECK_FALSE(proposalFrom(record.dump())->sawSkill);
}

TEST_CASE("ids that name other folders are unknown") {
  const House house;
  for (const char *id : {"", "..", "../skills", "/etc", "draft-a", ".lock"}) {
    CHECK(house.store->find(id).failure().fault == Fault::NotFound);
    CHECK(house.decide(id, true).failure().fault == Fault::NotFound);
  }
  CHECK(house.store->find(std::string(32, 'a')).failure().fault == Fault::NotFound);
}

TEST_CASE("an inbox that others may change, and a missing folder of skills, are refused") {
  const House house;
  fs::create_directory(house.inbox());
  fs::permissions(house.inbox(), fs::perms::all);
  CHECK_FALSE(house.propose("pdf", "First."));
  fs::permissions(house.inbox(), fs::perms::owner_all);
  CHECK(house.propose("pdf", "First."));
  fs::remove(house.skills());
  CHECK_FALSE(house.propose("csv", "First."));
  CHECK(house.names().size() == 1);
}

namespace {

// No file of this process can grow beyond some bytes, as if the disk were full.
class FullDisk {
public:
  explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &limit_) == 0);
    const rlimit small{bytes, limit_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  }
  ~FullDisk() {
    (void)::setrlimit(RLIMIT_FSIZE, &limit_);
    (void)std::signal(SIGXFSZ, before_);
  }
  FullDisk(const FullDisk &) = delete;
  FullDisk &operator=(const FullDisk &) = delete;

private:
  void (*before_)(int);
  rlimit limit_{};
};

} // namespace

TEST_CASE("a full disk leaves neither half a proposal nor half a skill") {
  const House house;
  const auto made = house.propose("pdf", std::string(5'000, 'x'));
  REQUIRE(made);
  {
    const FullDisk full(20);
    CHECK_FALSE(house.propose("csv", "First."));
    CHECK_FALSE(house.decide(made->id, true));
    CHECK_FALSE(house.decide(made->id, false));
  }
  {
    const FullDisk full(3'000); // has room for the record, and not for the files
    CHECK_FALSE(house.propose("csv", std::string(5'000, 'x')));
    CHECK_FALSE(house.decide(made->id, true));
  }
  CHECK(house.names() == std::vector<std::string>{made->id});
  CHECK(fs::is_empty(house.skills()));
  CHECK(house.store->find(made->id)->proposal.state == State::Pending);
  REQUIRE(house.decide(made->id, true));
  CHECK(house.served("pdf") == documentOf("pdf", std::string(5'000, 'x')));
}

TEST_CASE("two stores on one folder lose nothing, and only one of two decisions holds") {
  const House house(200, 100);
  const auto work = [&](const std::string &who) {
    StoreSettings settings;
    settings.folder = house.inbox();
    settings.skills = house.skills();
    settings.pendingPerProposer = 100;
    const ProposalStore store(settings);
    for (int i = 0; i < 15; ++i) {
      const std::string name = "s" + std::to_string(i);
      Submission submission;
      submission.name = name;
      submission.proposer = {"", who};
      submission.files = {{"SKILL.md", {documentOf(name, who)}}};
      (void)store.submit(std::move(submission), now);
    }
  };
  std::thread one(work, "ada"), other(work, "bob");
  one.join();
  other.join();
  const auto list = house.store->list(now);
  REQUIRE(list);
  const auto *const all = &list->proposals;
  CHECK(all->size() == 30);

  const std::string id = all->front().id;
  std::atomic<int> decided{0};
  const auto decide = [&](bool approve) { decided += house.decide(id, approve) ? 1 : 0; };
  std::thread yes(decide, true), no(decide, false);
  yes.join();
  no.join();
  CHECK(decided == 1);
}
