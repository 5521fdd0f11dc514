// SPDX-License-Identifier: Apache-2.0
// Kills sync before each of its system calls, and checks that no reader sees a part of a skill, and
// that the next run repairs the folder.
#include "catch2.hpp"
#include "made_source.hpp"

#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace skillhost::sync;
namespace fs = std::filesystem;

namespace {

void fillOld(MadeSource &source) {
  source.skills["gone"] = {{"SKILL.md", skillText("gone")}, {"a.md", "old"}};
  source.skills["kept"] = {{"SKILL.md", skillText("kept", "Old.")}, {"a.md", "old"}};
}
void fillNew(MadeSource &source) {
  source.skills["kept"] = {{"SKILL.md", skillText("kept", "New.")}, {"a.md", "new"}};
  source.skills["made"] = {{"SKILL.md", skillText("made")}, {"run.sh", "#!/bin/sh\n"}};
}

// Returns the files of the skill, by their paths; none if there is no such folder.
FileBytes filesOf(const MadeFolder &folder, const std::string &skill) {
  FileBytes files;
  const std::string root = folder.path + '/' + skill;
  if (!fs::is_directory(root)) return files;
  for (const auto &entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(root).string()] =
          folder.read(entry.path().lexically_relative(folder.path).string());
  return files;
}

enum class Ended { Killed, ByItself, NotTraced };

// Runs sync in a child and kills it before its system call of this number.
Ended syncAndKill(const MadeFolder &folder, MadeSource &source, int number) {
  const Offer offer = source.offer();
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(77);
    std::raise(SIGSTOP);
    const FolderOutcome outcome = syncFolder(folder.path, source, offer, Effect::Apply);
    ::_exit(failuresIn(outcome).empty() ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) return Ended::NotTraced;
  // Every system call stops twice: before and after it.
  for (int stops = 0; stops < 2 * number + 1; ++stops) {
    REQUIRE(::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) == 0);
    REQUIRE(::waitpid(child, &status, 0) == child);
    if (WIFEXITED(status)) {
      CHECK(WEXITSTATUS(status) == 0);
      return Ended::ByItself;
    }
  }
  ::kill(child, SIGKILL);
  REQUIRE(::waitpid(child, &status, 0) == child);
  return Ended::Killed;
}

} // namespace

TEST_CASE("sync may be killed at any moment") {
  MadeSource before, after;
  fillOld(before);
  fillNew(after);
  int kills = 0, halfWay = 0;
  // In memory, because bringing each file to a disk takes most of the time.
  const fs::path above = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : fs::temp_directory_path();
  for (int number = 0;; ++number) {
    const MadeFolder folder(above);
    syncFolder(folder.path, before, before.offer(), Effect::Apply);
    const Ended ended = syncAndKill(folder, after, number);
    if (ended == Ended::NotTraced) {
      WARN("skipped: this process may not trace another one");
      return;
    }
    CAPTURE(number);
    // A reader sees the old or the new skill.
    const FileBytes kept = filesOf(folder, "kept"), gone = filesOf(folder, "gone"),
                    made = filesOf(folder, "made");
    CHECK((kept == before.skills["kept"] || kept == after.skills["kept"]));
    CHECK((gone == before.skills["gone"] || gone.empty()));
    CHECK((made == after.skills["made"] || made.empty()));
    if (kept == after.skills["kept"] && made.empty()) ++halfWay;
    // A folder beside them with a SKILL.md has all files of its skill.
    for (const std::string &name : folder.names())
      for (const char *inside : {"", "/old"}) {
        const FileBytes files = filesOf(folder, name + inside);
        if (!files.contains("SKILL.md")) continue;
        CAPTURE(name);
        CHECK((files == before.skills["kept"] || files == after.skills["kept"] ||
               files == before.skills["gone"] || files == after.skills["made"]));
      }
    if (ended == Ended::ByItself) break;
    ++kills;
    const FolderOutcome repaired = syncFolder(folder.path, after, after.offer(), Effect::Apply);
    CHECK(failuresIn(repaired).empty());
    for (const SyncedSkill &skill : repaired.skills)
      CHECK(skill.plan.action <= Action::None); // nothing is taken for a person's change
    CHECK(folder.names() == std::vector<std::string>{"kept", "made"});
    CHECK(filesOf(folder, "kept") == after.skills["kept"]);
    CHECK(filesOf(folder, "made") == after.skills["made"]);
    const FolderOutcome again = syncFolder(folder.path, after, after.offer(), Effect::Apply);
    for (const SyncedSkill &skill : again.skills) CHECK(skill.plan.action == Action::None);
    clearFolder(folder.path, Effect::Apply);
    CHECK(folder.names().empty());
  }
  CHECK(kills > 50);
  CHECK(halfWay > 0);
}
