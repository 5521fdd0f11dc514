// SPDX-License-Identifier: Apache-2.0
#include "process/scan.hpp"

#include "base/log.hpp"
#include "process/child_output.hpp"
#include "process/process_status.hpp"
#include "process/role_process.hpp"
#include "process/thread_gate.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace skillhost::process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{10};
constexpr std::size_t maxAnswerBytes = 4U << 20U;

// Time from the answer to the end of the process.
constexpr std::chrono::milliseconds lastWords{1000};
constexpr std::chrono::milliseconds betweenCounts{200}; // interval between counts of its threads

// Reads everything until the other end closes. Returns the reason if that takes too long or is too
// much.
std::string readAll(int descriptor, ChildOutput &output, const ChildProcess &child,
                    const std::string &file, std::string &out) {
  const auto until = Clock::now() + patience;
  std::array<char, 65536> piece{};
  bool toldOfThreads = false;
  for (auto nextCount = Clock::now() + betweenCounts;;) {
    const auto now = Clock::now();
    if (now >= until) return "its scan did not end within 10 s";
    if (out.size() > maxAnswerBytes) return "the result of its scan is too long";
    if (now >= nextCount) {
      const std::optional<KernelStatus> status = readKernelStatus(child.number());
      if (status && status->threads > maxThreads)
        return "it starts more than " + std::to_string(maxThreads) + " threads when it is loaded";
      if (!status && !child.endsWithin(std::chrono::milliseconds(0)) &&
          !std::exchange(toldOfThreads, true))
        log::warning("plugin", "the process that looks into " + file +
                                   ": how many threads it starts is not verified: /proc of the "
                                   "process cannot be read");
      nextCount = now + betweenCounts;
    }
    std::array<pollfd, 2> both{{{descriptor, POLLIN, 0}, {output.number(now), POLLIN, 0}}};
    const auto wake = std::min<Clock::time_point>({until, nextCount, output.next(now)});
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(wake - now).count();
    if (::poll(both.data(), both.size(), static_cast<int>(left)) <= 0) continue;
    if (both[1].revents != 0) output.read();
    if (both[0].revents == 0) continue;
    const ssize_t got = ::recv(descriptor, piece.data(), piece.size(), MSG_DONTWAIT);
    if (got > 0) out.append(piece.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return {};
  }
}

} // namespace

PluginScan scanInChild(const std::string &program, const std::string &file, int copy) try {
  auto [ours, theirs] = socketPair();
  Descriptor writer;
  ChildOutput output("plugin", "the process that looks into " + file, writer);
  std::vector<std::string> role{"plugin-scan", file, std::to_string(::getpid())};
  std::vector<int> inherited{theirs.number()};
  if (copy >= 0) {
    role.emplace_back("copy");
    inherited.push_back(copy);
  }
  Result<ChildProcess> child = startRole(program, role, writer.number(), inherited);
  theirs.reset();
  writer.reset();
  if (!child) return {{}, "it cannot be scanned: " + child.failure().message, false};
  std::string text;
  const std::string why = readAll(ours.number(), output, *child, file, text);
  // The answer is complete or will never be. A process that does not end now is killed.
  if (!why.empty() || !child->endsWithin(lastWords)) child->kill();
  const std::string end = howItEnded(child->reap());
  output.finish();
  // A busy machine is not the file's fault, so this result is not stored.
  if (!why.empty()) return {{}, why, false};
  if (text.empty() || text.back() != '\n') return {{}, "its scan " + end, true};
  return scanFromJson(text);
} catch (const std::exception &why) {
  return {{}, std::string("it cannot be scanned: ") + why.what(), false};
}

} // namespace skillhost::process
