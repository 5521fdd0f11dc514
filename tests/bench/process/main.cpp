// SPDX-License-Identifier: Apache-2.0
// Measures a small call of a plugin in the host's own process and in one of its own, alternating in
// one run, beside the least cost of another process: one byte in each direction. It runs once with
// both processes on one core and once on two, because waking an idle core costs more than all the
// rest on some machines. The exit code is 1 when the process adds more than 40 us to the median on
// one core.
#include "../usage.hpp"
#include "process/proxy.hpp"
#include "sinks.hpp"
#include "source_instance.hpp"

#include "library.hpp"

#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

using namespace skillhost;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int rounds = 10, callsInRound = 2'000;
constexpr double bar = 40; // us

struct Figures {
  std::vector<double> spans; // us
  double at(double share) {
    const auto place =
        spans.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(spans.size() - 1));
    std::nth_element(spans.begin(), place, spans.end());
    return *place;
  }
};

// A process that sends back each byte that it gets. It is made before there are threads.
class Echo {
public:
  Echo() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
      throw std::runtime_error("no sockets");
    child_ = ::fork();
    if (child_ < 0) throw std::runtime_error("no process");
    if (child_ == 0) {
      ::close(ends[0]);
      char byte = 0;
      while (::read(ends[1], &byte, 1) == 1 && ::write(ends[1], &byte, 1) == 1) continue;
      ::_exit(0);
    }
    ::close(ends[1]);
    end_ = ends[0];
  }
  ~Echo() {
    ::close(end_);
    ::waitpid(child_, nullptr, 0);
  }
  Echo(const Echo &) = delete;
  Echo &operator=(const Echo &) = delete;

  void measure(Figures &figures) const {
    char byte = 0;
    for (int i = 0; i < callsInRound; ++i) {
      const auto begun = Clock::now();
      if (::write(end_, &byte, 1) != 1 || ::read(end_, &byte, 1) != 1)
        throw std::runtime_error("the echo is gone");
      figures.spans.push_back(
          std::chrono::duration<double, std::micro>(Clock::now() - begun).count());
    }
  }

private:
  pid_t child_ = -1;
  int end_ = -1;
};

// Calls through the table of functions, without the executor, which is the same for both.
void measure(Instance &instance, Figures &figures) {
  const CallOptions options;
  const std::string skill = "a", path = "SKILL.md", revision = "1";
  for (int i = 0; i < callsInRound; ++i) {
    const auto begun = Clock::now();
    CallFrame frame(options);
    skh_document which{};
    which.size = sizeof which;
    which.skill = borrow(skill);
    which.path = borrow(path);
    which.revision = borrow(revision);
    BytesSink sink(frame, 1000, 0);
    if (instance.operations<skh_source>().read(instance.self(), frame.raw(), &which, sink.raw()) !=
        SKH_OK)
      throw std::runtime_error("a read failed");
    figures.spans.push_back(
        std::chrono::duration<double, std::micro>(Clock::now() - begun).count());
  }
}

void runOn(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<unsigned>(core), &cores);
  if (::sched_setaffinity(0, sizeof cores, &cores) != 0)
    throw std::runtime_error("core " + std::to_string(core) + " is not to be had");
}

// Prints the figures; returns what the process adds to the median, in us.
double compare(const std::string &program, const std::string &file, int ours, int theirs) {
  runOn(theirs); // the processes that are made now stay there
  const Echo echo;
  const Result<const skh_entry *> entry = openPlugin(file);
  if (!entry) throw std::runtime_error(entry.failure().message);
  const skh_plugin &plugin = *(*entry)->plugins[0];
  IsolatedPluginSetup setup;
  setup.file = file;
  process::Proxy proxy(program, PluginFacts::of(plugin), std::move(setup));
  const InstanceConfiguration configuration{
      "bench", file, R"({"documents": [{"skill": "a", "text": "x", "revision": "1"}]})", {}};
  const auto thread = Instance::create(plugin, configuration);
  const auto apart = Instance::create(proxy.descriptor(), configuration);
  if (!thread || !apart) throw std::runtime_error("an instance could not be made");
  Figures inThread, inProcess, least, warm;
  measure(**apart, warm);
  runOn(ours);
  for (int i = 0; i < rounds; ++i) {
    measure(**thread, inThread);
    measure(**apart, inProcess);
    echo.measure(least);
  }
  std::printf("%-12s  %8s  %8s  %8s\n", ours == theirs ? "one core, us" : "two, us", "median",
              "p90", "p99");
  for (auto &[name, figures] : {std::pair<const char *, Figures &>{"thread", inThread},
                                std::pair<const char *, Figures &>{"process", inProcess},
                                std::pair<const char *, Figures &>{"echo", least}})
    std::printf("%-12s  %8.2f  %8.2f  %8.2f\n", name, figures.at(0.5), figures.at(0.9),
                figures.at(0.99));
  const double added = inProcess.at(0.5) - inThread.at(0.5);
  std::printf("a process of its own adds %.2f us, %.2f times the echo\n", added,
              added / least.at(0.5));
  return added;
}

int run(const std::string &program, const std::string &file) {
  const double added = compare(program, file, 0, 0);
  compare(program, file, 0, 1);
  std::printf("at most %.0f us on one core: %s\n", bar, added <= bar ? "held" : "missed");
  return added <= bar ? 0 : 1;
}

} // namespace

int main(int count, char **arguments) try {
  constexpr const char *usage = "usage: bench-process RUNNER SCRIPTED.so\n";
  if (const auto ended = bench::endedByOption(count, arguments, usage)) return *ended;
  if (count != 3) return bench::refuse("RUNNER and SCRIPTED.so", usage);
  return run(arguments[1], arguments[2]);
} catch (const std::exception &why) {
  std::fprintf(stderr, "bench-process: %s\n", why.what());
  return 2;
}
