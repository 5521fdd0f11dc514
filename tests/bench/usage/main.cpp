// SPDX-License-Identifier: Apache-2.0
// Measures the cost of recording use: nanoseconds a call, processor time an event, bytes a million,
// and the throughput of a server with it beside the same server without it.
#include "../stdio/measure.hpp"
#include "../usage.hpp"
#include "usage/report.hpp"
#include "usage/usage_recorder.hpp"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace skillhost;
using Clock = std::chrono::steady_clock;

constexpr std::size_t burst = 20'000; // fits into the queue
constexpr std::chrono::seconds patience{60};

struct Folder {
  std::string path = (std::filesystem::temp_directory_path() / "bench-usage-XXXXXX").string();
  Folder() {
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
};

double secondsOf(const timespec &time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double processorOf(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return secondsOf(now);
}

// Texts as in real calls: 300 skills of 3 sources, 40 people, 5 clients.
struct Texts {
  std::vector<std::string> skills, paths, sources, people, clients;
  Texts() {
    for (int i = 0; i < 300; ++i) skills.push_back("skill-number-" + std::to_string(i));
    for (const std::string &skill : skills) paths.push_back("teams/" + skill);
    for (int i = 0; i < 3; ++i) sources.push_back("source-" + std::to_string(i));
    for (int i = 0; i < 40; ++i) people.push_back("person-" + std::to_string(i));
    for (int i = 0; i < 5; ++i) clients.push_back("client-" + std::to_string(i));
  }

  UseView use(std::size_t number) const {
    const std::size_t skill = number * 7 % skills.size();
    UseView use;
    use.kind = number % 4 == 3 ? UseKind::Read : UseKind::Load;
    use.skill = skills[skill];
    use.source = sources[number % sources.size()];
    use.path = paths[skill];
    use.digest = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    use.issuer = "https://login.example.org";
    use.person = people[number % people.size()];
    use.client = clients[number % clients.size()];
    use.microseconds = static_cast<std::uint32_t>(number % 900);
    return use;
  }
};

void measureRecording(std::size_t events, std::size_t bound) {
  const Folder folder;
  const Texts texts;
  UsageSettings settings;
  settings.path = folder.path + "/usage.sqlite";
  settings.maxBytes = bound;
  metrics::Registry registry;
  std::vector<double> costs;
  double inCalls = 0;
  std::uintmax_t largest = 0;
  const double before = processorOf(CLOCK_PROCESS_CPUTIME_ID);
  const double mine = processorOf(CLOCK_THREAD_CPUTIME_ID);
  const auto begun = Clock::now();
  {
    UsageRecorder recorder(settings, {}, registry);
    for (std::size_t done = 0; done < events;) {
      const std::size_t end = std::min(events, done + burst);
      for (; done < end; ++done) {
        const auto start = Clock::now();
        recorder.record(texts.use(done));
        const double spent = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
        inCalls += spent;
        if (done % 16 == 0) costs.push_back(spent);
      }
      if (!recorder.flush(patience)) throw std::runtime_error("the file does not take the events");
      largest = std::max(largest, std::filesystem::file_size(settings.path));
    }
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  const double called = processorOf(CLOCK_THREAD_CPUTIME_ID) - mine;
  const double writer = processorOf(CLOCK_PROCESS_CPUTIME_ID) - before - called;
  const auto count = static_cast<double>(events);
  std::printf("events                        %14zu\n", events);
  std::printf("a call                        %14.0f ns (mean), %.0f (p50), %.0f (p99)\n",
              inCalls / count, bench::quantile(costs, 0.5), bench::quantile(costs, 0.99));
  std::printf("a call's processor time       %14.2f us, the two clocks too\n",
              called * 1e6 / count);
  std::printf("the writer's processor time   %14.2f us an event\n", writer * 1e6 / count);
  std::printf("all of it                     %14.1f s\n", seconds);
  std::printf("largest file                  %14ju bytes of %zu\n", largest, bound);
  std::printf("lost                          %14.0f\n",
              registry.counter({"skillhost_usage_lost_total", {}}).value());
  const auto asked = Clock::now();
  const auto rows = usageRows(settings.path, {});
  if (!rows) throw std::runtime_error(rows.failure().message);
  std::uint64_t kept = 0;
  for (const UsageRow &row : *rows) kept += row.all();
  std::printf("kept                          %14ju, asked by skill in %.2f s\n",
              static_cast<std::uintmax_t>(kept),
              std::chrono::duration<double>(Clock::now() - asked).count());
}

double median(std::vector<double> values) { return bench::quantile(std::move(values), 0.5); }

// Runs the same server with and without, alternating, and compares the ratio of each pair of
// neighbours.
void compareServers(const std::string &server, const std::string &skills, const std::string &skill,
                    std::size_t rounds) {
  const Folder folder;
  bench::Plan plan;
  plan.calls = 1'000;
  plan.pipelined = 60'000;
  const bench::Operation load{"load", R"({"name":"load_skill","arguments":{"skill_name":")" +
                                          skill + R"(","force_reload":true}})"};
  const std::string command = server + " --no-config --skills-dir " + skills +
                              " --set usage.path=" + folder.path +
                              "/usage.sqlite --set usage.enabled=";
  const bench::Target with{"with", command + "true", {load}},
      without{"without", command + "false", {load}};
  const std::string rate = "load x" + std::to_string(plan.depth) + " calls/s";
  const std::string processor = "load x" + std::to_string(plan.depth) + " cpu us";
  std::vector<double> ratios, costs, rates, sequential;
  for (std::size_t round = 0; round < rounds; ++round) {
    const bool first = round % 2 == 0;
    bench::Sample a = bench::measure(first ? with : without, plan);
    bench::Sample b = bench::measure(first ? without : with, plan);
    if (!first) std::swap(a, b);
    ratios.push_back(a[rate] / b[rate]);
    costs.push_back(a[processor] - b[processor]);
    rates.push_back(b[rate]);
    sequential.push_back(a["load p50 us"] - b["load p50 us"]);
  }
  std::printf("throughput without            %14.0f calls/s (median of %zu rounds)\n",
              median(rates), rounds);
  std::printf("throughput with : without     %14.3f (median), %.3f to %.3f\n", median(ratios),
              *std::min_element(ratios.begin(), ratios.end()),
              *std::max_element(ratios.begin(), ratios.end()));
  std::printf("processor time a call         %+14.2f us, its writing too\n", median(costs));
  std::printf("one call after the other      %+14.2f us (p50)\n", median(sequential));
}

} // namespace

int main(int count, char **words) try {
  constexpr const char *usage =
      "usage: bench-usage [EVENTS (1000000) [BOUND (268435456) [SERVER FOLDER SKILL [ROUNDS "
      "(9)]]]]\n"
      "  records EVENTS into a file of at most BOUND bytes; then starts SERVER with the skills of\n"
      "  FOLDER, with and without recording in turns, and loads SKILL again and again\n";
  if (const auto ended = bench::endedByOption(count, words, usage)) return *ended;
  if (count == 4 || count == 5 || count > 7)
    return bench::refuse("SERVER, FOLDER and SKILL go together", usage);
  ::signal(SIGPIPE, SIG_IGN);
  const auto events = count > 1 ? bench::numberIn<std::size_t>(words[1], 1'000'000'000) : 1'000'000;
  const auto bound = count > 2 ? bench::numberIn<std::size_t>(words[2], SIZE_MAX) : 268'435'456;
  const auto rounds = count > 6 ? bench::numberIn<std::size_t>(words[6], 1'000) : 9;
  if (!events || !bound || !rounds || *rounds == 0)
    return bench::refuse("EVENTS, BOUND and ROUNDS must be numbers", usage);
  if (*events != 0) measureRecording(*events, *bound);
  if (count > 5) compareServers(words[3], words[4], words[5], *rounds);
  return 0;
} catch (const std::exception &why) {
  std::fprintf(stderr, "bench-usage: %s\n", why.what());
  return 1;
}
