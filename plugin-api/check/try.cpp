// SPDX-License-Identifier: Apache-2.0
#include "check/try.hpp"

#include "board.hpp"
#include "cache_directory.hpp"
#include "process.hpp"
#include "trial_file.hpp"

#include <cstdio>

#include <sys/wait.h>
#include <unistd.h>

namespace skillhost::check {
namespace {

// For loading, create() and destroy(), and for a plugin that comes back a little late.
constexpr std::chrono::milliseconds grace{2'000};

} // namespace

int tryPlugin(const Trial &trial) {
  const CacheDirectory cache;
  Board board;
  put(board.data().cacheDirectory, cache.path());
  put(board.data().step, "start");
  const int request = writeTrial(trial);
  std::fflush(stdout);
  const Ended ended =
      runProcess({trial.program, "try-one"}, {board.descriptor(), request, STDOUT_FILENO},
                 trial.deadline + grace, Streams::Share);
  ::close(request);
  const char *const step = board.data().step.data();
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
