// SPDX-License-Identifier: Apache-2.0
#include "base/process_metrics.hpp"

#include "ground/process.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>

namespace skillhost {
namespace {

using metrics::Registry;

double cpuSeconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct ProcessStatus {
  double startSeconds = 0; // since the machine was started
  double virtualBytes = 0;
};

// Reads proc(5). The program's name, which may contain anything, ends with the last parenthesis.
std::optional<ProcessStatus> processStatus() {
  std::ifstream file("/proc/self/stat");
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = all.rfind(')');
  if (end == std::string::npos) return std::nullopt;
  std::istringstream rest(all.substr(end + 1));
  constexpr int before = 19; // fields from the state to the start
  std::string skipped;
  for (int i = 0; i < before; ++i) rest >> skipped;
  double ticks = 0, bytes = 0;
  if (!(rest >> ticks >> bytes)) return std::nullopt;
  return ProcessStatus{ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)), bytes};
}

// Returns the time when the machine was started, in Unix seconds.
std::optional<double> bootSeconds() {
  std::ifstream file("/proc/stat");
  for (std::string word; file >> word;)
    if (double seconds = 0; word == "btime" && file >> seconds) return seconds;
  return std::nullopt;
}

void tellLimits(Registry &registry) {
  rlimit most{};
  if (::getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
    registry.gauge({"process_max_fds", {}}).set(static_cast<double>(most.rlim_cur));
}

void tellStart(Registry &registry) {
  const auto status = processStatus();
  const auto boot = bootSeconds();
  if (status && boot)
    registry.gauge({"process_start_time_seconds", {}}).set(*boot + status->startSeconds);
}

// Listing the descriptors of thousands of connections is expensive, so it is done at most once a
// second.
class RecentFigures {
public:
  ProcessFigures now() {
    const std::scoped_lock lock(mutex_);
    const auto moment = std::chrono::steady_clock::now();
    if (!taken_ || moment - *taken_ >= std::chrono::seconds(1)) {
      figures_ = processFigures();
      taken_ = moment;
    }
    return figures_;
  }

private:
  std::mutex mutex_;
  std::optional<std::chrono::steady_clock::time_point> taken_;
  ProcessFigures figures_;
};

void refresh(Registry &registry, RecentFigures &figures) {
  metrics::Counter &cpu = registry.counter({"process_cpu_seconds_total", {}});
  cpu.add(cpuSeconds() - cpu.value());
  const ProcessFigures now = figures.now();
  const auto tell = [&](const char *name, std::size_t value) {
    if (value != 0) registry.gauge({name, {}}).set(static_cast<double>(value));
  };
  tell("process_resident_memory_bytes", now.residentBytes);
  tell("process_open_fds", now.descriptors);
  tell("process_threads", now.threads);
  if (const auto status = processStatus())
    registry.gauge({"process_virtual_memory_bytes", {}}).set(status->virtualBytes);
}

} // namespace

Registry::Collector collectProcess(Registry &registry) {
  tellLimits(registry);
  tellStart(registry);
  return registry.collect(
      [&registry, figures = std::make_shared<RecentFigures>()] { refresh(registry, *figures); });
}

} // namespace skillhost
