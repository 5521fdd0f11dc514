// SPDX-License-Identifier: Apache-2.0
// Tests what sync writes, replaces, removes and leaves alone in a folder.
#include "catch2.hpp"
#include "ground/descriptor.hpp"
#include "made_source.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

using namespace skillhost::sync;
namespace fs = std::filesystem;

namespace {

using Actions = std::map<std::string, Action>;

FolderOutcome synced(const MadeFolder &folder, MadeSource &source, Effect effect = Effect::Apply) {
  return syncFolder(folder.path, source, source.offer(), effect);
}

void fill(MadeSource &source) {
  source.skills["pdf"] = {{"SKILL.md", skillText("pdf")},
                          {"scripts/run.sh", "#!/bin/sh\necho hi\n"},
                          {"references/a.md", "a"}};
  source.skills["csv"] = {{"SKILL.md", skillText("csv")}};
}

unsigned modeOf(const std::string &path) {
  struct stat status{};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

const SyncedSkill &skillNamed(const FolderOutcome &outcome, const std::string &name) {
  const auto found = std::find_if(outcome.skills.begin(), outcome.skills.end(),
                                  [&](const SyncedSkill &one) { return one.plan.name == name; });
  REQUIRE(found != outcome.skills.end());
  return *found;
}

} // namespace

TEST_CASE("a folder gets the skills, then their changes, and loses those that are gone") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  FolderOutcome outcome = synced(folder, source);
  CHECK(failuresIn(outcome).empty());
  CHECK(actionsIn(outcome) == Actions{{"csv", Action::Write}, {"pdf", Action::Write}});
  CHECK(folder.names() == std::vector<std::string>{"csv", "pdf"});
  CHECK(folder.read("pdf/SKILL.md") == skillText("pdf"));
  CHECK(folder.read("pdf/references/a.md") == "a");

  CHECK(actionsIn(synced(folder, source)) == Actions{{"csv", Action::None}, {"pdf", Action::None}});

  source.skills["pdf"].erase("references/a.md");
  source.skills["pdf"]["SKILL.md"] = skillText("pdf", "Says more.");
  source.skills.erase("csv");
  outcome = synced(folder, source);
  CHECK(failuresIn(outcome).empty());
  CHECK(actionsIn(outcome) == Actions{{"csv", Action::Remove}, {"pdf", Action::Update}});
  CHECK(folder.names() == std::vector<std::string>{"pdf"});
  CHECK(folder.read("pdf/SKILL.md") == skillText("pdf", "Says more."));
  CHECK(!folder.has("pdf/references"));
}

TEST_CASE("an unchanged folder is not touched") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  const auto written = fs::last_write_time(folder.path + "/" + std::string(manifestName));
  const auto before = fs::last_write_time(folder.path);
  CHECK(failuresIn(synced(folder, source)).empty());
  CHECK(fs::last_write_time(folder.path) == before);
  CHECK(fs::last_write_time(folder.path + "/" + std::string(manifestName)) == written);
}

TEST_CASE("a trial changes nothing and says the same") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  CHECK(actionsIn(syncFolder(folder.path + "/none", source, source.offer(), Effect::OnlyPlan)) ==
        Actions{{"csv", Action::Write}, {"pdf", Action::Write}});
  CHECK(!folder.has("none"));
  synced(folder, source);
  source.skills.erase("csv");
  CHECK(actionsIn(synced(folder, source, Effect::OnlyPlan)) ==
        Actions{{"csv", Action::Remove}, {"pdf", Action::None}});
  CHECK(folder.has("csv/SKILL.md"));
}

TEST_CASE("programs are executable as in git, and other modes are those of the umask") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  const mode_t mask = ::umask(027);
  synced(folder, source);
  ::umask(mask);
  CHECK(modeOf(folder.path + "/pdf/scripts/run.sh") == 0750);
  CHECK(modeOf(folder.path + "/pdf/SKILL.md") == 0640);
  CHECK(modeOf(folder.path + "/pdf") == 0750);
  // A person's change of that bit is a change, any other bit is none.
  REQUIRE(::chmod((folder.path + "/pdf/SKILL.md").c_str(), 0600) == 0);
  CHECK(actionsIn(synced(folder, source))["pdf"] == Action::None);
  REQUIRE(::chmod((folder.path + "/pdf/scripts/run.sh").c_str(), 0600) == 0);
  const FolderOutcome outcome = synced(folder, source);
  CHECK(skillNamed(outcome, "pdf").plan.action == Action::LeftAlone);
  CHECK(skillNamed(outcome, "pdf").plan.differences ==
        std::vector<std::string>{"scripts/run.sh is not executable"});
}

TEST_CASE("executable bits are not compared where the file system cannot keep them") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  auto manifest = SyncManifest::read(folder.path);
  REQUIRE(manifest);
  CHECK(manifest->keepsExecutables);
  manifest->keepsExecutables = false;
  REQUIRE(manifest->write(folder.path));
  REQUIRE(::chmod((folder.path + "/pdf/SKILL.md").c_str(), 0777) == 0);
  CHECK(actionsIn(synced(folder, source))["pdf"] == Action::None);
  source.skills["pdf"]["SKILL.md"] = skillText("pdf", "Says more.");
  CHECK(actionsIn(synced(folder, source))["pdf"] == Action::Update);
}

TEST_CASE("a file whose mode nobody has said is a program if its first line says so") {
  const MadeFolder folder;
  MadeSource source;
  source.skills["pdf"] = {{"SKILL.md", skillText("pdf")}, {"run", "#!/bin/sh\n"}, {"a.md", "a"}};
  Offer offer = source.offer();
  for (auto &[path, file] : offer.skills.front().files) file.executable.reset();
  syncFolder(folder.path, source, offer, Effect::Apply);
  CHECK((modeOf(folder.path + "/pdf/run") & S_IXUSR) != 0);
  CHECK((modeOf(folder.path + "/pdf/a.md") & S_IXUSR) == 0);
  CHECK(actionsIn(syncFolder(folder.path, source, offer, Effect::Apply))["pdf"] == Action::None);
}

TEST_CASE("nobody's change is overwritten or removed, and its difference is said") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  folder.write("pdf/SKILL.md", "mine");
  folder.write("pdf/notes.md", "mine");
  fs::remove(folder.path + "/pdf/references/a.md");
  const bool gone = GENERATE(false, true);
  CAPTURE(gone);
  if (gone)
    source.skills.erase("pdf");
  else
    source.skills["pdf"]["SKILL.md"] = skillText("pdf", "Says more.");
  for (int run = 0; run < 2; ++run) {
    const FolderOutcome outcome = synced(folder, source);
    CHECK(skillNamed(outcome, "pdf").plan.action == Action::LeftAlone);
    CHECK(skillNamed(outcome, "pdf").plan.differences ==
          std::vector<std::string>{"SKILL.md differs", "references/a.md is missing",
                                   "notes.md is new"});
    CHECK(folder.read("pdf/SKILL.md") == "mine");
  }
  const FolderOutcome cleared = clearFolder(folder.path, Effect::Apply);
  CHECK(actionsIn(cleared) == Actions{{"csv", Action::Remove}, {"pdf", Action::LeftAlone}});
  CHECK(folder.read("pdf/notes.md") == "mine");
}

TEST_CASE("an edit that the source makes too is no difference any more") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  folder.write("csv/SKILL.md", skillText("csv", "Better."));
  source.skills["csv"]["SKILL.md"] = skillText("csv", "Better.");
  CHECK(actionsIn(synced(folder, source))["csv"] == Action::None);
  source.skills["csv"]["SKILL.md"] = skillText("csv", "Best.");
  CHECK(actionsIn(synced(folder, source))["csv"] == Action::Update);
}

TEST_CASE("links, repositories and additions of a person are changes; what tools leave is none") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  folder.write("pdf/scripts/__pycache__/run.pyc", "x");
  fs::create_directory(folder.path + "/pdf/empty");
  CHECK(actionsIn(synced(folder, source))["pdf"] == Action::None);
  source.skills["pdf"]["SKILL.md"] = skillText("pdf", "Says more.");
  CHECK(actionsIn(synced(folder, source))["pdf"] == Action::Update);
  const std::string addition = GENERATE("link", "repository", "fifo", "linked folder");
  CAPTURE(addition);
  if (addition == "link") fs::create_symlink("/etc/passwd", folder.path + "/pdf/x");
  if (addition == "repository") folder.write("pdf/.git/HEAD", "ref");
  if (addition == "fifo") REQUIRE(::mkfifo((folder.path + "/pdf/x").c_str(), 0600) == 0);
  if (addition == "linked folder") fs::create_directory_symlink("/etc", folder.path + "/pdf/x");
  source.skills["pdf"]["SKILL.md"] = skillText("pdf", "Says even more.");
  const FolderOutcome outcome = synced(folder, source);
  CHECK(skillNamed(outcome, "pdf").plan.action == Action::LeftAlone);
  CHECK(skillNamed(outcome, "pdf").plan.differences.size() == 1);
}

TEST_CASE("what a person has made under the name of a skill stays") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  const std::string what = GENERATE("other skill", "same skill", "link", "file");
  CAPTURE(what);
  const MadeFolder elsewhere;
  elsewhere.write("SKILL.md", skillText("csv"));
  if (what == "other skill") folder.write("csv/SKILL.md", "mine");
  if (what == "same skill") folder.write("csv/SKILL.md", skillText("csv"));
  if (what == "link") fs::create_directory_symlink(elsewhere.path, folder.path + "/csv");
  if (what == "file") folder.write("csv", "mine");
  for (int run = 0; run < 2; ++run) {
    const FolderOutcome outcome = synced(folder, source);
    CHECK(failuresIn(outcome).empty());
    CHECK(skillNamed(outcome, "csv").plan.action == Action::Taken);
    CHECK(!skillNamed(outcome, "csv").plan.why.empty());
  }
  CHECK(actionsIn(clearFolder(folder.path, Effect::Apply)) == Actions{{"pdf", Action::Remove}});
  CHECK(folder.names() == std::vector<std::string>{"csv"});
  CHECK(elsewhere.read("SKILL.md") == skillText("csv"));
}

TEST_CASE("an empty folder in the place of a skill is used, and a removed skill is written again") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  fs::create_directory(folder.path + "/csv");
  CHECK(failuresIn(synced(folder, source)).empty());
  CHECK(folder.has("csv/SKILL.md"));
  fs::remove_all(folder.path + "/csv");
  CHECK(actionsIn(synced(folder, source))["csv"] == Action::Write);
  CHECK(folder.has("csv/SKILL.md"));
}

TEST_CASE("an incomplete source removes nothing, nor does one that cannot give a skill") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  source.skills.erase("csv");
  source.whyIncomplete = "the source team failed";
  FolderOutcome outcome = synced(folder, source);
  CHECK(skillNamed(outcome, "csv").plan.action == Action::KeptUnoffered);
  source.whyIncomplete.clear();
  source.leftOut = {{"csv", "its files cannot be read now"}};
  outcome = synced(folder, source);
  CHECK(skillNamed(outcome, "csv").plan.why == "its files cannot be read now");
  CHECK(folder.has("csv/SKILL.md"));
}

TEST_CASE("a skill that is left out is known by its URI") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  source.uris["csv"] = "skill://a/tables";
  synced(folder, source);
  source.skills.erase("csv");
  const auto actionFor = [&](const std::string &uri) {
    source.leftOut = {{"My tables", "its front matter is wrong", uri}};
    return actionsIn(syncFolder(folder.path, source, source.offer(), Effect::OnlyPlan)).at("csv");
  };
  CHECK(actionFor("skill://a/tables") == Action::KeptUnoffered); // the folder has another name
  CHECK(actionFor("skill://a/") == Action::KeptUnoffered);       // any skill of the source
  for (const char *other :
       {"skill://a", "skill://a/table", "skill://a/tables/csv", "skill://b/", ""})
    CHECK(actionFor(other) == Action::Remove);
  // Somebody else's folder of the same name keeps nothing.
  source.leftOut = {{"csv", "its front matter is wrong", "skill://b/csv"}};
  CHECK(actionsIn(syncFolder(folder.path, source, source.offer(), Effect::OnlyPlan)).at("csv") ==
        Action::Remove);
  source.leftOut = {{"My tables", "its front matter is wrong", "skill://a/tables"}};
  const FolderOutcome outcome = synced(folder, source);
  CHECK(skillNamed(outcome, "csv").plan.why == "its front matter is wrong");
  CHECK(folder.has("csv/SKILL.md"));
  source.leftOut.clear();
  synced(folder, source);
  CHECK(!folder.has("csv/SKILL.md"));
}

TEST_CASE("a skill without a URI in the manifest is kept while any skill is left out") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source); // as by an older skillhost
  REQUIRE(SyncManifest::read(folder.path)->skills.at("csv").uri.empty());
  source.uris["pdf"] = "skill://a/pdf";
  source.skills.erase("csv");
  source.leftOut = {{"My tables", "its front matter is wrong", "skill://a/tables"}};
  const FolderOutcome outcome = synced(folder, source);
  CHECK(skillNamed(outcome, "csv").plan.why ==
        "it may be My tables, which is left out: its front matter is wrong");
  CHECK(folder.has("csv/SKILL.md"));
  // The next run knows the URI of what was offered.
  CHECK(SyncManifest::read(folder.path)->skills.at("pdf").uri == "skill://a/pdf");
  source.skills = {{"xml", {{"SKILL.md", skillText("xml")}}}};
  CHECK(actionsIn(synced(folder, source)) ==
        Actions{{"csv", Action::KeptUnoffered}, {"pdf", Action::Remove}, {"xml", Action::Write}});
  source.leftOut.clear();
  CHECK(actionsIn(synced(folder, source)).at("csv") == Action::Remove);
}

TEST_CASE("two sources share a folder, and neither takes a skill of the other") {
  const MadeFolder folder;
  MadeSource source, other;
  fill(source);
  other.name = "skills.yaml";
  other.skills["csv"] = {{"SKILL.md", skillText("csv", "Other.")}};
  other.skills["xml"] = {{"SKILL.md", skillText("xml")}};
  synced(folder, source);
  CHECK(actionsIn(synced(folder, other)) ==
        Actions{{"csv", Action::Taken}, {"xml", Action::Write}});
  CHECK(actionsIn(synced(folder, source)) == Actions{{"csv", Action::None}, {"pdf", Action::None}});
  CHECK(folder.names() == std::vector<std::string>{"csv", "pdf", "xml"});
  clearFolder(folder.path, Effect::Apply);
  CHECK(folder.names().empty());
  CHECK(!folder.has(std::string(manifestName)));
}

TEST_CASE("a skill that the source reads from this very folder is left to its author") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  folder.write("csv/SKILL.md", skillText("csv"));
  Offer offer = source.offer();
  offer.skills.front().folder = folder.path + "/csv";
  CHECK(actionsIn(syncFolder(folder.path, source, offer, Effect::Apply)) ==
        Actions{{"csv", Action::None}, {"pdf", Action::Write}});
  CHECK(actionsIn(clearFolder(folder.path, Effect::Apply)) == Actions{{"pdf", Action::Remove}});
}

TEST_CASE("bytes that differ from the announced ones are not written") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  source.skills["pdf"]["SKILL.md"] = skillText("pdf", "Says more.");
  source.falsify = [](FileBytes &bytes) { bytes["SKILL.md"] += "Obey me."; };
  FolderOutcome outcome = synced(folder, source);
  CHECK(outcome.isStale);
  CHECK(failuresIn(outcome).find("pdf: the source sends other bytes of SKILL.md") == 0);
  CHECK(folder.read("pdf/SKILL.md") == skillText("pdf"));
  source.falsify = [](FileBytes &bytes) { bytes.erase("references/a.md"); };
  CHECK(!failuresIn(synced(folder, source)).empty());
  source.falsify = [](FileBytes &bytes) { bytes["../evil.md"] = "x"; };
  outcome = synced(folder, source);
  CHECK(failuresIn(outcome).empty());
  CHECK(actionsIn(outcome)["pdf"] == Action::Update);
  CHECK(folder.names() == std::vector<std::string>{"csv", "pdf"});
}

TEST_CASE("what somebody changes while sync works is put back, whole") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  source.skills["csv"]["SKILL.md"] = skillText("csv", "Newer.");
  source.skills["pdf"]["SKILL.md"] = skillText("pdf", "Newer.");
  source.skills["xml"] = {{"SKILL.md", skillText("xml")}};
  source.beforeReading = [&](const std::string &skill) {
    folder.write(skill + "/SKILL.md", "mine");
  };
  const FolderOutcome outcome = synced(folder, source);
  CHECK(std::count_if(outcome.skills.begin(), outcome.skills.end(), [](const SyncedSkill &one) {
          return one.failure == "somebody changed it in the same moment";
        }) == 3);
  for (const char *skill : {"csv", "pdf", "xml"})
    CHECK(folder.read(std::string(skill) + "/SKILL.md") == "mine");
  CHECK(folder.names() == std::vector<std::string>{"csv", "pdf", "xml"});
  source.beforeReading = [](const std::string &) {};
  CHECK(skillNamed(synced(folder, source), "csv").plan.action == Action::LeftAlone);
}

TEST_CASE("a full disk leaves the old skill, and the next run repairs it") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  source.skills["pdf"]["references/big.md"] = std::string(100'000, 'x');
  struct rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  void (*const handler)(int) = std::signal(SIGXFSZ, SIG_IGN); // as every program of ours does
  const struct rlimit small{50'000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const FolderOutcome outcome = synced(folder, source);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK(failuresIn(outcome).find("big.md: cannot be written: File too large") != std::string::npos);
  CHECK(folder.read("pdf/references/a.md") == "a");
  CHECK(folder.names() == std::vector<std::string>{"csv", "pdf"});
  CHECK(actionsIn(synced(folder, source)) ==
        Actions{{"csv", Action::None}, {"pdf", Action::Update}});
  CHECK(folder.has("pdf/references/big.md"));
}

TEST_CASE("a folder that cannot be written is named") {
  const MadeFolder folder;
  folder.write("file", "x");
  MadeSource source;
  fill(source);
  CHECK_THROWS_WITH(syncFolder(folder.path + "/file/skills", source, source.offer(), Effect::Apply),
                    Catch::Matchers::Contains("file/skills: cannot be made"));
}

TEST_CASE("a skill whose SKILL.md has another name is refused, and the others are written") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  source.skills["pdf"]["SKILL.md"] = skillText("evil");
  source.skills["xml"] = {{"SKILL.md", skillText("XML Tools")}};
  source.skills["yaml"] = {{"SKILL.md", "no front matter\n"}};
  source.skills["unnamed"] = {{"SKILL.md", "---\ndescription: Says hello.\n---\n"}};
  for (int run = 0; run < 2; ++run) {
    const FolderOutcome outcome = synced(folder, source);
    CHECK(skillNamed(outcome, "pdf").failure ==
          R"(its SKILL.md has another name, "evil", under which agents would list it)");
    CHECK(skillNamed(outcome, "xml").failure.find("\"XML Tools\"") != std::string::npos);
    CHECK(skillNamed(outcome, "yaml").failure.starts_with("its SKILL.md cannot be read: "));
    CHECK(folder.read("pdf/SKILL.md") == skillText("pdf"));
    CHECK(folder.names() == std::vector<std::string>{"csv", "pdf", "unnamed"});
  }
}

TEST_CASE("a skill that its source refuses is neither written nor said to be") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  Offer offer = source.offer();
  offer.skills.back().refusal = otherNameWords("PDF Tools");
  const Effect effect = GENERATE(Effect::OnlyPlan, Effect::Apply);
  CAPTURE(effect == Effect::Apply);
  const FolderOutcome outcome = syncFolder(folder.path, source, offer, effect);
  CHECK(failuresIn(outcome) == "pdf: " + otherNameWords("PDF Tools") + '\n');
  CHECK(folder.has("csv") == (effect == Effect::Apply));
  CHECK(!folder.has("pdf"));
}

TEST_CASE("a skill may have files with the names that sync uses for its own") {
  const MadeFolder folder;
  MadeSource source;
  source.skills["pdf"] = {{"SKILL.md", skillText("pdf")},
                          {"SKILL.md.skillhost-new", "a"},
                          {"draft", "b"},
                          {"old", "c"},
                          {"inner/deep/SKILL.md", skillText("deep")}};
  CHECK(failuresIn(synced(folder, source)).empty());
  source.skills["pdf"]["draft"] = "d";
  CHECK(failuresIn(synced(folder, source)).empty());
  for (const auto &[path, bytes] : source.skills["pdf"]) CHECK(folder.read("pdf/" + path) == bytes);
  CHECK(folder.names() == std::vector<std::string>{"pdf"});
  source.skills.erase("pdf");
  source.skills["csv"] = {{"SKILL.md", skillText("csv")}};
  CHECK(failuresIn(synced(folder, source)).empty());
  CHECK(folder.names() == std::vector<std::string>{"csv"});
}

TEST_CASE("a file is not removed through a link in its path") {
  const MadeFolder folder, elsewhere;
  elsewhere.write("SKILL.md", "theirs");
  fs::create_directory_symlink(elsewhere.path, folder.path + "/inner");
  folder.write("own/SKILL.md", "ours");
  removeFile(folder.path, "inner/SKILL.md");
  removeFile(folder.path, "none/SKILL.md");
  removeFile(folder.path, "own/SKILL.md");
  CHECK(elsewhere.has("SKILL.md"));
  CHECK(!folder.has("own/SKILL.md"));
}

TEST_CASE("a run says whom it waits for, and does not wait without end") {
  const MadeFolder folder;
  MadeSource source;
  fill(source);
  synced(folder, source);
  const skillhost::Descriptor held(::open(folder.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  REQUIRE(::flock(held.number(), LOCK_EX | LOCK_NB) == 0);
  // A trial takes no lock.
  CHECK(failuresIn(synced(folder, source, Effect::OnlyPlan)).empty());
  clearFolder(folder.path, Effect::OnlyPlan);
  std::vector<std::string> said;
  LockWait wait;
  wait.say = [&](const std::string &words) { said.push_back(words); };
  wait.beforeSaying = std::chrono::milliseconds(1);
  wait.atMost = std::chrono::milliseconds(200);
  const std::string self = "process " + std::to_string(::getpid()) + " (";
  for (int run = 0; run < 2; ++run)
    CHECK_THROWS_WITH(run == 0
                          ? syncFolder(folder.path, source, source.offer(), Effect::Apply, wait)
                          : clearFolder(folder.path, Effect::Apply, wait),
                      Catch::Matchers::Contains(folder.path + ": " + self) &&
                          Catch::Matchers::Contains("still works in this folder"));
  REQUIRE(said.size() == 2);
  CHECK(said[0].starts_with(folder.path + ": waiting for " + self));
  CHECK(folder.has("csv/SKILL.md"));
}

TEST_CASE("a second run waits for the first") {
  const MadeFolder folder;
  MadeSource first, second;
  fill(first);
  fill(second);
  FolderOutcome outcome;
  std::thread other;
  first.beforeReading = [&](const std::string &skill) {
    if (skill != "csv") return;
    other = std::thread([&] { outcome = synced(folder, second); });
    // The lock is held here, so nobody else gets it.
    const int own = ::open(folder.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(::flock(own, LOCK_EX | LOCK_NB) != 0);
    ::close(own);
  };
  CHECK(failuresIn(synced(folder, first)).empty());
  other.join();
  CHECK(actionsIn(outcome) == Actions{{"csv", Action::None}, {"pdf", Action::None}});
}
