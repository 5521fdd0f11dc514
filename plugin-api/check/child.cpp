// SPDX-License-Identifier: Apache-2.0
// The process of one check.
#include "bounds.hpp"
#include "cases.hpp"
#include "network.hpp"
#include "try_operation.hpp"

#include <cstdlib>
#include <exception>

#include <fcntl.h>
#include <unistd.h>

namespace skillhost::check {
namespace {

constexpr int firstInherited = 3; // first descriptor that the parent passes
constexpr int inheritedByCase = 2, inheritedByTrial = 4;

// Runs check-one CASE PLUGIN BOUNDS…
int runCase(const std::vector<std::string> &words, Confine confine) {
  Bounds bounds;
  const Case *const one = words.size() > 2 ? findCase(words[1]) : nullptr;
  if (one == nullptr || !Bounds::fromArguments(words, 3, bounds)) return 2;
  // Never unmapped, because threads of the plugin may run until the process ends.
  static Board board(firstInherited);
  static Probe probe(board, words[2]);
  // Opens descriptors of the host, to detect a plugin that closes descriptors of others.
  for (int i = 0; i < 3; ++i) static_cast<void>(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Ending ending;
  try {
    // Must come first, because a confined process may not make this call.
    if (one->offline && !leaveNetwork())
      probe.note("; the network cannot be taken away here, so that is not checked");
    else
      probe.setOffline(one->offline);
    confineProcess(bounds, confine, words[2], probe.configuration(), probe.cacheDirectory(),
                   firstInherited + 1);
    one->run(probe);
    ending = probe.ending();
  } catch (const Ending &early) {
    ending = early;
  } catch (const std::exception &why) {
    ending = {
        Verdict::Failed, std::string("the check itself cannot go on: ") + why.what(), {}, true};
  }
  BoardData &data = board.data();
  data.verdict = static_cast<std::uint32_t>(ending.verdict);
  data.blocks = ending.blocks ? 1 : 0;
  put(data.found, ending.found);
  put(data.advice, ending.advice);
  data.reported = 1;
  probe.step("exit()");
  return 0; // runs exit handlers of the plugin, as in a host
}

} // namespace

bool isChild(const std::vector<std::string> &arguments) noexcept {
  return !arguments.empty() && (arguments.front() == "check-one" || arguments.front() == "try-one");
}

int runChild(const std::vector<std::string> &arguments, Confine confine) {
  const bool isCase = arguments.front() == "check-one";
  // Closes descriptors that the caller of skillhost left open, which are not meant for the plugin.
  ::close_range(
      static_cast<unsigned>(firstInherited + (isCase ? inheritedByCase : inheritedByTrial)), ~0U,
      0);
  if (isCase) return runCase(arguments, confine);
  Bounds bounds;
  return Bounds::fromArguments(arguments, 1, bounds)
             ? tryOperation(bounds, confine, firstInherited, firstInherited + 1, firstInherited + 2,
                            firstInherited + 3)
             : 2;
}

} // namespace skillhost::check
