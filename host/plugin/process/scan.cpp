// SPDX-License-Identifier: Apache-2.0
#include "process/scan.hpp"

#include "base/log.hpp"
#include "library.hpp"
#include "process/child_output.hpp"
#include "process/confinement.hpp"
#include "process/observed.hpp"
#include "process/role_process.hpp"
#include "process/thread_gate.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <utility>

namespace skillhost::process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{10};
constexpr std::size_t longestAnswer = 4U << 20U;
constexpr std::uint64_t memoryBytes = 1U << 30U;
constexpr int answerDescriptor = 3, copyDescriptor = 4;

constexpr std::chrono::milliseconds lastWords{1000};    // from an answer to the end of its process
constexpr std::chrono::milliseconds betweenCounts{200}; // at how many threads it has

// Everything until the other end closes; why not, when that takes too long or is too much.
std::string readAll(int descriptor, ChildOutput &output, const ChildProcess &child,
                    const std::string &file, std::string &out) {
  const auto until = Clock::now() + patience;
  std::array<char, 65536> piece{};
  bool toldOfThreads = false;
  for (auto look = Clock::now() + betweenCounts;;) {
    const auto now = Clock::now();
    if (now >= until) return "its scan did not end within 10 s";
    if (out.size() > longestAnswer) return "its scan tells too much";
    if (now >= look) {
      const std::optional<Observed> seen = observe(child.number());
      if (seen && seen->threads > mostThreads)
        return "it starts more than " + std::to_string(mostThreads) + " threads when it is loaded";
      if (!seen && !child.endsWithin(std::chrono::milliseconds(0)) &&
          !std::exchange(toldOfThreads, true))
        log::warning("plugin", "the process that looks into " + file +
                                   ": how many threads it starts is not verified: /proc of the "
                                   "process cannot be read");
      look = now + betweenCounts;
    }
    std::array<pollfd, 2> both{{{descriptor, POLLIN, 0}, {output.number(now), POLLIN, 0}}};
    const auto wake = std::min<Clock::time_point>({until, look, output.next(now)});
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(wake - now).count();
    if (::poll(both.data(), both.size(), static_cast<int>(left)) <= 0) continue;
    if (both[1].revents != 0) output.read();
    if (both[0].revents == 0) continue;
    const ssize_t got = ::recv(descriptor, piece.data(), piece.size(), MSG_DONTWAIT);
    if (got > 0) out.append(piece.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return {};
  }
}

void writeAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
}

Scan look(const std::string &file, int copy) {
  const Result<const skh_entry *> entry = openPlugin(file, copy);
  if (!entry) return {{}, entry.failure().message, false};
  Scan scan;
  for (const skh_plugin *const *plugin = (*entry)->plugins; *plugin != nullptr; ++plugin)
    if (isComplete(**plugin))
      scan.plugins.push_back(PluginFacts::of(**plugin));
    else
      scan.refusal = "one of its plugins lacks a required field or function";
  return scan;
}

} // namespace

Scan scanInChild(const std::string &program, const std::string &file, int copy) try {
  auto [ours, theirs] = socketPair();
  Descriptor writer;
  ChildOutput output("plugin", "the process that looks into " + file, writer);
  std::vector<std::string> role{"plugin-scan", file, std::to_string(::getpid())};
  std::vector<int> lent{theirs.number()};
  if (copy >= 0) {
    role.emplace_back("copy");
    lent.push_back(copy);
  }
  Result<ChildProcess> child = startRole(program, role, writer.number(), lent);
  theirs.reset();
  writer.reset();
  if (!child) return {{}, "it cannot be looked into: " + child.failure().message, false};
  std::string text;
  const std::string why = readAll(ours.number(), output, *child, file, text);
  // Its answer is there, or never will be: what does not end now is not waited for.
  if (!why.empty() || !child->endsWithin(lastWords)) child->kill();
  const std::string end = howItEnded(child->reap());
  output.finish();
  // A busy machine is no fault of the file, so this is not kept.
  if (!why.empty()) return {{}, why, false};
  if (text.empty() || text.back() != '\n') return {{}, "its scan " + end, true};
  return scanFromJson(text);
} catch (const std::exception &why) {
  return {{}, std::string("it cannot be looked into: ") + why.what(), false};
}

int scanHere(const std::string &file, pid_t host, bool copied) {
  // What the file's constructors print is not part of the answer.
  Descriptor out(::fcntl(answerDescriptor, F_DUPFD_CLOEXEC, answerDescriptor + 1));
  if (!out) {
    out.reset(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, answerDescriptor));
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  } else {
    ::close(answerDescriptor);
  }
  // What the host has left open by mistake is none of the file's business.
  ::close_range(copied ? copyDescriptor + 1 : answerDescriptor,
                static_cast<unsigned>(out.number()) - 1, 0);
  ::close_range(static_cast<unsigned>(out.number()) + 1, ~0U, 0);
  Confinement wanted;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(file, error);
  wanted.mayRead.push_back(path.parent_path().string());
  wanted.memoryBytes = memoryBytes;
  wanted.parent = host;
  const std::string refusal = error && !copied ? error.message() : confine(wanted).refusal;
  writeAll(out.number(), toJson(!refusal.empty() ? Scan{{}, refusal, false}
                                : copied         ? look(file, copyDescriptor)
                                                 : look(path.string(), -1)));
  std::_Exit(0); // exit handlers of the file belong to nobody
}

} // namespace skillhost::process
