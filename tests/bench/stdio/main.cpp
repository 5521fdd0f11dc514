// SPDX-License-Identifier: Apache-2.0
// Compares servers over stdio in interleaved rounds and prints medians and ratios. See README.md.
#include "measure.hpp"

#include <signal.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace {

using bench::Plan;
using bench::Sample;
using bench::Target;

constexpr const char *usage =
    "usage: bench-stdio [options] --server NAME COMMAND [--call NAME PARAMS]... [--server ...]\n"
    "  --server NAME COMMAND  a server; the first one is what the others are compared with\n"
    "  --call NAME PARAMS     a tools/call of that server: params as JSON; the last one is also\n"
    "                         called with many in flight\n"
    "  --rounds N (5)  --warm N (200)  --calls N (2000)  --pipelined N (20000)  --depth N (64)\n"
    "  --modern        the wire of 2026-07-28\n"
    "  --pin D,S       the driver on core D, the servers on core S\n";

struct Setup {
  Plan plan;
  std::vector<Target> targets;
};

Setup parse(std::vector<std::string> words) {
  Setup setup;
  std::size_t at = 0;
  const auto next = [&]() -> const std::string & {
    if (++at >= words.size()) throw std::invalid_argument(words.back() + " needs a value");
    return words[at];
  };
  const auto number = [&] {
    const std::string text = next();
    std::size_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end.ec != std::errc{} || end.ptr != text.data() + text.size() || value == 0)
      throw std::invalid_argument(text + " is not a number of 1 or more");
    return value;
  };
  for (; at < words.size(); ++at) {
    const std::string word = words[at];
    if (word == "--server") {
      const std::string name = next();
      setup.targets.push_back({name, next(), {}});
    } else if (word == "--call") {
      if (setup.targets.empty()) throw std::invalid_argument("--call stands after its --server");
      const std::string name = next();
      setup.targets.back().operations.push_back({name, next()});
    } else if (word == "--rounds") {
      setup.plan.rounds = number();
    } else if (word == "--warm") {
      setup.plan.warm = number();
    } else if (word == "--calls") {
      setup.plan.calls = number();
    } else if (word == "--pipelined") {
      setup.plan.pipelined = number();
    } else if (word == "--depth") {
      setup.plan.depth = number();
    } else if (word == "--modern") {
      setup.plan.modern = true;
    } else if (word == "--pin") {
      const std::string pair = next();
      bench::Placement &placement = setup.plan.placement;
      if (std::sscanf(pair.c_str(), "%d,%d", &placement.driver, &placement.server) != 2)
        throw std::invalid_argument("--pin takes two cores, such as 0,1");
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  if (setup.targets.empty()) throw std::invalid_argument("no --server");
  return setup;
}

double median(const std::vector<Sample> &samples, const std::string &name) {
  std::vector<double> values;
  for (const Sample &sample : samples)
    if (const auto found = sample.find(name); found != sample.end())
      values.push_back(found->second);
  return bench::quantile(std::move(values), 0.5);
}

void print(const Setup &setup, const std::vector<std::vector<Sample>> &samples) {
  std::printf("medians of %zu rounds; in brackets the ratio to %s\n\n%-24s", setup.plan.rounds,
              setup.targets.front().name.c_str(), "");
  for (const Target &target : setup.targets) std::printf(" %20s", target.name.c_str());
  std::printf("\n");
  for (const auto &[name, ignored] : samples.front().front()) {
    std::printf("%-24s", name.c_str());
    const double base = median(samples.front(), name);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double value = median(samples[i], name);
      if (i == 0)
        std::printf(" %20.2f", value);
      else
        std::printf(" %12.2f (%5.2f)", value, base > 0 ? value / base : 0.0);
    }
    std::printf("\n");
  }
}

} // namespace

int main(int count, char **words) {
  signal(SIGPIPE, SIG_IGN);
  try {
    if (count == 2 && std::string(words[1]) == "--help") {
      std::fputs(usage, stdout);
      return 0;
    }
    const Setup setup = parse({std::next(words), words + count});
    std::vector<std::vector<Sample>> samples(setup.targets.size());
    for (std::size_t round = 0; round < setup.plan.rounds; ++round)
      for (std::size_t i = 0; i < setup.targets.size(); ++i) {
        // Each round begins with another server, so that none always follows the same one.
        const std::size_t which = (i + round) % setup.targets.size();
        samples[which].push_back(bench::measure(setup.targets[which], setup.plan));
      }
    print(setup, samples);
  } catch (const std::invalid_argument &error) {
    std::fprintf(stderr, "%s\n%s", error.what(), usage);
    return 2;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
