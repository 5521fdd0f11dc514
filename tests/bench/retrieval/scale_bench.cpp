// SPDX-License-Identifier: Apache-2.0
// Prints what N entries with bodies of 8 KB cost the keyword index in time and memory.
#include "../usage.hpp"
#include "keyword/index.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

using namespace skillhost;

namespace {

// Time of this process on a processor, so that a busy machine does not count.
double milliseconds(std::clock_t since) {
  return 1000.0 * static_cast<double>(std::clock() - since) / CLOCKS_PER_SEC;
}

double residentMegabytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0;
  double resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// Words of a made-up language whose frequencies fall as in a real one: the n-th is said 1/n as
// often as the first.
class Language {
public:
  std::string text(std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) {
      if (!out.empty()) out += ' ';
      out += word();
    }
    return out;
  }

  // As in a real one, the most frequent words say nothing.
  static std::vector<std::string> stopWords() {
    std::vector<std::string> words;
    for (std::size_t rank = 1; rank <= 120; ++rank) words.push_back(spell(rank));
    return words;
  }

private:
  std::string word() {
    constexpr double words = 30'000;
    std::uniform_real_distribution<double> even(0, 1);
    return spell(static_cast<std::size_t>(std::pow(words, even(random_))));
  }
  static std::string spell(std::size_t rank) {
    constexpr std::string_view consonants = "bdfgklmnprstvz";
    constexpr std::string_view vowels = "aeiou";
    std::string out;
    do {
      out += consonants[rank % consonants.size()];
      rank /= consonants.size();
      out += vowels[rank % vowels.size()];
      rank /= vowels.size();
    } while (rank > 0 || out.size() < 4);
    return out;
  }

  std::mt19937 random_{20'250'101};
};

struct Made {
  std::string id, name, description, body;
};

void run(std::size_t count) {
  Language language;
  std::vector<Made> entries;
  for (std::size_t i = 0; i < count; ++i)
    entries.push_back(
        {"team/" + std::to_string(i), language.text(14), language.text(160), language.text(8192)});
  const double before = residentMegabytes();
  keyword::Options options;
  options.stopWords = Language::stopWords();
  keyword::Index index(options);
  std::clock_t begin = std::clock();
  for (const Made &entry : entries)
    index.put({entry.id, entry.name, entry.description, entry.body, R"({"source":"team"})"});
  const double put = milliseconds(begin);
  begin = std::clock();
  index.commit("1");
  const double commit = milliseconds(begin);
  const double grown = residentMegabytes() - before;
  begin = std::clock();
  index.put({entries[0].id, "changed", "is now different", entries[0].body, {}});
  index.commit("2");
  const double change = milliseconds(begin);
  std::vector<double> queries;
  for (int i = 0; i < 500; ++i) {
    const std::string text = language.text(50);
    begin = std::clock();
    index.query(text, {}, 5);
    queries.push_back(milliseconds(begin) * 1000);
  }
  std::sort(queries.begin(), queries.end());
  std::printf("%7zu %9.1f %10.1f %10.1f %12.0f %12.0f %8.1f %8.1f\n", count, put, commit, change,
              queries[queries.size() / 2], queries[queries.size() * 99 / 100], grown,
              residentMegabytes() - before);
}

} // namespace

int main(int count, char **values) {
  constexpr const char *usage = "usage: keyword_scale_bench ENTRIES...\n";
  if (const auto ended = bench::endedByOption(count, values, usage)) return *ended;
  if (count < 2) return bench::refuse("no ENTRIES", usage);
  std::printf("%7s %9s %10s %10s %12s %12s %8s %8s\n", "entries", "put ms", "commit ms",
              "change ms", "query us p50", "query us p99", "MB", "MB later");
  for (int i = 1; i < count; ++i) {
    const std::string_view text = values[i];
    std::size_t entries = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), entries);
    if (read.ptr != text.data() + text.size() || entries == 0)
      return bench::refuse("ENTRIES must be numbers of 1 or more", usage);
    run(entries);
  }
  return 0;
}
