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

constexpr std::uint64_t memoryBytes = 1U << 30U; // 1 GiB: default of memory_mb for an instance
constexpr std::uint64_t fileBytes = 2ULL << 30U; // 2 GiB: limit of each file that the plugin writes

} // namespace

std::vector<std::string> Bounds::toArguments() const {
  std::vector<std::string> arguments{trusted ? "trusted" : sockets ? "sockets" : "no-sockets"};
  arguments.insert(arguments.end(), mayRead.begin(), mayRead.end());
  return arguments;
}

bool Bounds::fromArguments(const std::vector<std::string> &arguments, std::size_t first,
                           Bounds &bounds) {
  if (first >= arguments.size()) return false;
  bounds.trusted = arguments[first] == "trusted";
  bounds.sockets = arguments[first] == "sockets";
  bounds.mayRead.assign(arguments.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                        arguments.end());
  return bounds.trusted || bounds.sockets || arguments[first] == "no-sockets";
}

void confineProcess(const Bounds &bounds, Confine confine, const std::string &plugin,
                    const std::string &configuration, const std::string &cacheDirectory,
                    int reportDescriptor) {
  const Descriptor report(reportDescriptor);
  openProcessFiles();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // this process must not outlive skillhost
  // If a child of the plugin ends, its own children become children of this process, so that the
  // check still finds them.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (bounds.trusted) return;
  // `memoryBytes` limits address space, and each malloc arena of a thread reserves 64 MiB of it.
  ::mallopt(M_ARENA_MAX, 2);
  // The check old-host plays a host with the minor version 0, which passes no cache folder. The
  // plugin then finds the only writable folder in TMPDIR.
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
  std::array<char, 1024> buffer{};
  const ssize_t size = ::read(pipe_.read.number(), buffer.data(), buffer.size());
  if (size <= 0) return; // the process ended before it could report
  complete = buffer.front() == '+';
  text.assign(buffer.data() + 1, static_cast<std::size_t>(size) - 1);
}

} // namespace skillhost::check
