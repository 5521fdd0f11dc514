// SPDX-License-Identifier: Apache-2.0
#include "check/try.hpp"

#include "board.hpp"
#include "bounds.hpp"
#include "cache_directory.hpp"
#include "ground/shown.hpp"
#include "process.hpp"
#include "trial_file.hpp"

#include <cstdio>

#include <sys/wait.h>
#include <unistd.h>

namespace skillhost::check {
namespace {

// Time for loading, create() and destroy(), and for a plugin that returns slightly late.
constexpr std::chrono::milliseconds grace{2'000};

// Asks the plugin itself: reads its description first, in a process without sockets.
bool needsSockets(const Trial &trial) {
  Board board;
  ConfinementReport report;
  std::vector<std::string> words{trial.program, "check-one", "entry", trial.plugin};
  for (std::string &word : Bounds{}.toArguments()) words.push_back(std::move(word));
  runProcess(words, {board.descriptor(), report.descriptor()}, trial.deadline + grace,
             Streams::Capture, environmentOf(Bounds{}));
  return board.data().sockets != 0;
}

} // namespace

int tryPlugin(const Trial &trial) {
  const CacheDirectory cache;
  Board board;
  put(board.data().cacheDirectory, cache.path());
  put(board.data().step, "start");
  const Bounds bounds{trial.trusted, !trial.trusted && needsSockets(trial), trial.mayRead};
  std::vector<std::string> words{trial.program, "try-one"};
  for (std::string &word : bounds.toArguments()) words.push_back(std::move(word));
  ConfinementReport report;
  const Descriptor request(writeTrial(trial));
  std::fflush(stdout);
  const Ended ended =
      runProcess(words, {board.descriptor(), request.number(), STDOUT_FILENO, report.descriptor()},
                 trial.deadline + grace, Streams::Share, environmentOf(bounds));
  report.read();
  if (!report.complete)
    std::fprintf(stderr, "skillhost: the plugin was not confined by all means: %s\n",
                 report.text.c_str());
  const std::string said = shownLine(textOf(board.data().step));
  const char *const step = said.c_str();
  if (ended.timedOut)
    std::fprintf(stderr, "skillhost: not back %lld ms after its deadline, in %s: killed\n",
                 static_cast<long long>(grace.count()), step);
  else if (WIFSIGNALED(ended.status))
    std::fprintf(stderr, "skillhost: it crashes: %s in %s\n",
                 signalName(WTERMSIG(ended.status)).c_str(), step);
  else if (board.data().reported == 0)
    std::fprintf(stderr, "skillhost: it ends the process with exit code %d in %s\n",
                 WEXITSTATUS(ended.status), step);
  const bool good = !ended.timedOut && WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0 &&
                    board.data().reported != 0;
  return good ? 0 : 1;
}

} // namespace skillhost::check
