// SPDX-License-Identifier: Apache-2.0
// Sends very many requests to a server while its skills change on disk, and watches its memory.
#include "calls.hpp"
#include "memory.hpp"
#include "server_process.hpp"
#include "skill_folder.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char *usage =
    "soak SERVER [--seconds N] [--calls N] [--skills N] [--corpus DIR] [--window N]\n"
    "            [--change-every N] [--most-growth-mib N]\n"
    "Ends when both --seconds (15) and --calls (0) are reached. The long form:\n"
    "soak SERVER --seconds 1800 --calls 5000000 --skills 600\n";

struct Wanted {
  std::string server, corpus;
  std::map<std::string, std::size_t> numbers{{"--seconds", 15},       {"--calls", 0},
                                             {"--skills", 200},       {"--window", 64},
                                             {"--change-every", 500}, {"--most-growth-mib", 10}};
};

bool read(int count, char **words, Wanted &wanted) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto number = wanted.numbers.find(word);
    if (number == wanted.numbers.end() && word != "--corpus") {
      if (!wanted.server.empty() || word.starts_with("-")) return false;
      wanted.server = word;
    } else if (++i == count) {
      return false;
    } else if (word == "--corpus") {
      wanted.corpus = words[i];
    } else {
      number->second = std::stoul(words[i]);
    }
  }
  return !wanted.server.empty();
}

int run(const Wanted &wanted) {
  const auto &numbers = wanted.numbers;
  const auto seconds = static_cast<double>(numbers.at("--seconds"));
  const std::size_t calls = numbers.at("--calls"), every = numbers.at("--change-every");
  std::mt19937 random(20261122); // NOLINT(bugprone-random-generator-seed)
  soak::SkillFolder skills(numbers.at("--skills"), wanted.corpus);
  soak::ServerProcess server(
      {wanted.server, "--skills-dir", skills.path().string(), "--log-level", "ERROR"},
      numbers.at("--window"));
  server.ask(
      R"("method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"soak","version":"1"}})");
  const Clock::time_point begin = Clock::now();
  const auto passed = [&begin] {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  // The first third fills caches and pools; after it memory has no reason to grow.
  const double warm = seconds / 3, between = (seconds - warm) / 30;
  double next = warm;
  std::vector<soak::Sample> samples;
  std::printf("%10s %12s %10s\n", "seconds", "calls", "MiB");
  const auto told = [&](double now, double memory) {
    std::printf("%10.1f %12llu %10.2f\n", now, static_cast<unsigned long long>(server.asked()),
                memory);
    std::fflush(stdout);
  };
  double now = 0;
  while ((now = passed()) < seconds || server.asked() < calls) {
    if (now >= next) {
      samples.push_back({server.asked(), soak::residentMebibytes(server.pid())});
      if (samples.size() % 5 == 1) told(now, samples.back().mebibytes);
      next = now + between;
    }
    if (server.asked() % every == 0) skills.change(random);
    if (!server.ask(soak::anyCall(random, skills.names()))) break;
  }
  told(now, soak::residentMebibytes(server.pid()));
  const std::uint64_t asked = server.asked();
  const std::string wrong = server.finish();
  const double grown = soak::growth(samples);
  std::printf("%.0f calls/s; %llu refused with an error; growth after warm-up %.2f MiB, "
              "slope %.3f MiB for a million calls\n",
              static_cast<double>(asked) / now, static_cast<unsigned long long>(server.failed()),
              grown, soak::slope(samples));
  if (!wrong.empty()) std::printf("FAILED: %s\n", wrong.c_str());
  const auto most = static_cast<double>(numbers.at("--most-growth-mib"));
  if (grown > most) std::printf("FAILED: memory grew by more than %.0f MiB\n", most);
  return wrong.empty() && grown <= most ? 0 : 1;
}

} // namespace

int main(int count, char **words) {
  try {
    Wanted wanted;
    if (!read(count, words, wanted)) {
      std::fputs(usage, stderr);
      return 2;
    }
    return run(wanted);
  } catch (const std::exception &why) {
    std::fprintf(stderr, "soak: %s\n", why.what());
    return 2;
  }
}
