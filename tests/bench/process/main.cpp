// SPDX-License-Identifier: Apache-2.0
// A small call of a plugin in the host's own process and in one of its own, by turns in one run.
// Exit code 1 when the process adds more than 40 us to the median.
#include "process/proxy.hpp"
#include "sinks.hpp"
#include "source_instance.hpp"

#include "library.hpp"

#include <algorithm>
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

// Directly through the table of functions: no lane, which is the same for both.
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
    BytesSink sink(1000, 0);
    if (instance.operations<skh_source>().read(instance.self(), frame.raw(), &which, sink.raw()) !=
        SKH_OK)
      throw std::runtime_error("a read failed");
    figures.spans.push_back(
        std::chrono::duration<double, std::micro>(Clock::now() - begun).count());
  }
}

int run(const std::string &program, const std::string &file) {
  const Result<const skh_entry *> entry = openPlugin(file);
  if (!entry) throw std::runtime_error(entry.failure().message);
  const skh_plugin &plugin = *(*entry)->plugins[0];
  process::ProxySetup setup;
  setup.program = program;
  setup.file = file;
  process::Proxy proxy(process::PluginFacts::of(plugin), std::move(setup));
  const InstanceConfiguration configuration{
      "bench", file, R"({"documents": [{"skill": "a", "text": "x", "revision": "1"}]})", {}};
  const auto thread = Instance::create(plugin, configuration);
  const auto apart = Instance::create(proxy.descriptor(), configuration);
  if (!thread || !apart) throw std::runtime_error("an instance could not be made");
  Figures inThread, inProcess, warm;
  measure(**apart, warm);
  for (int i = 0; i < rounds; ++i) {
    measure(**thread, inThread);
    measure(**apart, inProcess);
  }
  std::printf("%-8s  %8s  %8s  %8s\n", "us", "median", "p90", "p99");
  for (auto &[name, figures] : {std::pair<const char *, Figures &>{"thread", inThread},
                                std::pair<const char *, Figures &>{"process", inProcess}})
    std::printf("%-8s  %8.2f  %8.2f  %8.2f\n", name, figures.at(0.5), figures.at(0.9),
                figures.at(0.99));
  const double added = inProcess.at(0.5) - inThread.at(0.5);
  std::printf("a process of its own adds %.2f us (at most %.0f)\n", added, bar);
  return added <= bar ? 0 : 1;
}

} // namespace

int main(int count, char **arguments) try {
  if (count == 3) return run(arguments[1], arguments[2]);
  std::fprintf(stderr, "usage: bench-process SKILLHOST SCRIPTED.so\n");
  return 2;
} catch (const std::exception &why) {
  std::fprintf(stderr, "bench-process: %s\n", why.what());
  return 2;
}
