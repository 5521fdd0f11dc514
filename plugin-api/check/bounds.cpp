// SPDX-License-Identifier: Apache-2.0
#include "bounds.hpp"

#include "probe.hpp"
#include "process_state.hpp"

#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace skillhost::check {
namespace {

constexpr std::uint64_t memoryBytes = 1U << 30U; // default of memory_mb for an instance
constexpr std::uint64_t fileBytes = std::uint64_t{2048} << 20U; // limit of each file that it writes

} // namespace

std::vector<std::string> Bounds::words() const {
  std::vector<std::string> words{trusted ? "trusted" : sockets ? "sockets" : "no-sockets"};
  words.insert(words.end(), mayRead.begin(), mayRead.end());
  return words;
}

bool Bounds::read(const std::vector<std::string> &words, std::size_t from, Bounds &to) {
  if (from >= words.size()) return false;
  to.trusted = words[from] == "trusted";
  to.sockets = words[from] == "sockets";
  to.mayRead.assign(words.begin() + static_cast<std::ptrdiff_t>(from) + 1, words.end());
  return to.trusted || to.sockets || words[from] == "no-sockets";
}

void keepWithin(const Bounds &bounds, Confine confine, const std::string &plugin,
                const std::string &configuration, const std::string &cacheDirectory, int told) {
  const Descriptor report(told);
  openProcessFiles();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1); // so that processes left behind are found
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (bounds.trusted) return;
  // The limit counts address space, and every arena reserves some.
  ::mallopt(M_ARENA_MAX, 2);
  // Names the only writable folder, for a plugin that gets no cache folder (old-host).
  ::setenv("TMPDIR", cacheDirectory.c_str(), 1);
  const Confinement confined = confine({plugin, configuration, cacheDirectory, bounds.mayRead,
                                        memoryBytes, fileBytes, bounds.sockets});
  const std::string text = (confined.complete ? "+" : "-") + confined.text;
  if (::write(report.number(), text.data(), text.size()) < 0) std::_Exit(1);
  if (!confined.refusal.empty()) fail(confined.refusal);
}

ConfinementReport::ConfinementReport() {
  Result<Pipe> opened = Pipe::open();
  if (!opened) throw std::runtime_error(opened.failure().message);
  pipe_ = *std::move(opened);
}

void ConfinementReport::read() {
  pipe_.write.reset();
  std::array<char, 1024> told{};
  const ssize_t size = ::read(pipe_.read.number(), told.data(), told.size());
  if (size <= 0) return; // it ended before it could report
  complete = told.front() == '+';
  text.assign(told.data() + 1, static_cast<std::size_t>(size) - 1);
}

} // namespace skillhost::check
