// SPDX-License-Identifier: Apache-2.0
// Prints the cost of N entries with bodies of 8 KB for the keyword index in time and memory: words
// of a made-up language, or copies of real skills.
#include "../usage.hpp"
#include "keyword/index.hpp"
#include "skill_copies.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <malloc.h>
#include <unistd.h>

using namespace skillhost;

namespace {

// Returns the processor time of this process, so that a busy machine does not count.
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

// A made-up language whose word frequencies fall as in a real one: the n-th word is 1/n as frequent
// as the first.
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

  // Returns the most frequent words, which have no meaning of their own, as in a real language.
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

struct Texts {
  std::function<retrieval::Skill(std::size_t number)> skill;
  std::function<std::string(std::size_t number, std::size_t words)> question;
  keyword::Options options;
};

constexpr std::size_t bodyBytes = 8192;

Texts madeUp() {
  const auto language = std::make_shared<Language>();
  Texts texts;
  texts.skill = [language](std::size_t number) {
    return retrieval::Skill{"team/" + std::to_string(number), language->text(14),
                            language->text(160), language->text(bodyBytes)};
  };
  texts.question = [language](std::size_t, std::size_t words) { return language->text(6 * words); };
  texts.options.stopWords = Language::stopWords();
  return texts;
}

Texts copies(const std::string &folder) {
  const auto skills = std::make_shared<retrieval::SkillCopies>(folder);
  Texts texts;
  texts.skill = [skills](std::size_t number) { return skills->skill(number, bodyBytes); };
  texts.question = [skills](std::size_t number, std::size_t words) {
    return skills->words(number, words);
  };
  return texts;
}

// Returns questions from a file of JSON lines with a "text": those whose number of words is
// nearest.
std::function<std::string(std::size_t, std::size_t)> questions(const std::string &path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::vector<std::pair<std::size_t, std::string>> texts;
  for (std::string line; std::getline(file, line);) {
    const std::string text = nlohmann::json::parse(line).at("text");
    std::istringstream in(text);
    texts.emplace_back(std::distance(std::istream_iterator<std::string>(in), {}), text);
  }
  return [texts](std::size_t number, std::size_t words) mutable {
    constexpr std::size_t nearest = 10;
    const auto far = [words](const auto &each) {
      return each.first > words ? each.first - words : words - each.first;
    };
    std::stable_sort(texts.begin(), texts.end(),
                     [&](const auto &left, const auto &right) { return far(left) < far(right); });
    return texts[number % std::min(nearest, texts.size())].second;
  };
}

// Returns the resident memory after free memory went back to the system, so that only memory in use
// counts.
double residentAfterTrim() {
  ::malloc_trim(0);
  return residentMegabytes();
}

void put(keyword::Index &index, const retrieval::Skill &skill) {
  index.put({skill.id, skill.name, skill.description, skill.body, R"({"source":"team"})", "1"});
}

struct Quantiles {
  double half, nearlyAll; // p50 and p99, in ms
};

Quantiles timed(int times, const std::function<void(int)> &work) {
  std::vector<double> each;
  for (int i = 0; i < times; ++i) {
    const std::clock_t begin = std::clock();
    work(i);
    each.push_back(milliseconds(begin));
  }
  std::sort(each.begin(), each.end());
  return {each[each.size() / 2], each[each.size() * 99 / 100]};
}

Quantiles ask(const keyword::Index &index, const Texts &texts, std::size_t words) {
  std::vector<std::string> questions;
  for (std::size_t i = 0; i < 200; ++i) questions.push_back(texts.question(i, words));
  return timed(200, [&](int i) { index.query(questions[static_cast<std::size_t>(i)], {}, 5); });
}

void askBoth(const keyword::Index &index, const Texts &texts) {
  const Quantiles few = ask(index, texts, 8);
  const Quantiles many = ask(index, texts, 175);
  std::printf("        query, five hits with snippets: 8 words p50 %.2f ms p99 %.2f ms, "
              "175 words p50 %.2f ms p99 %.2f ms\n",
              few.half, few.nearlyAll, many.half, many.nearlyAll);
}

void startAgain(std::size_t count, const Texts &texts, const std::string &folder) {
  const double gone = residentAfterTrim();
  const auto begin = std::chrono::steady_clock::now();
  const keyword::Index again(texts.options, folder);
  const std::chrono::duration<double, std::milli> start = std::chrono::steady_clock::now() - begin;
  std::printf("        a start with the kept index of %zu entries: %.0f ms, %.0f bytes a skill\n",
              again.snapshot()->size(), start.count(),
              (residentAfterTrim() - gone) * 1e6 / static_cast<double>(count));
  if (again.snapshot()->size() > 0) askBoth(again, texts);
}

void run(std::size_t count, const Texts &texts, const std::string &folder) {
  const double before = residentAfterTrim();
  auto index = std::make_unique<keyword::Index>(texts.options, folder);
  double putting = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const retrieval::Skill skill = texts.skill(i);
    const std::clock_t begin = std::clock();
    put(*index, skill);
    putting += milliseconds(begin);
  }
  const std::clock_t commits = std::clock();
  index->commit("1");
  const double commit = milliseconds(commits);
  const std::clock_t keeps = std::clock();
  index->waitUntilKept();
  const double keep = milliseconds(keeps);
  const double resident = residentAfterTrim() - before;
  const Quantiles change = timed(20, [&](int i) {
    retrieval::Skill skill = texts.skill(static_cast<std::size_t>(i) * 7 % count);
    skill.description = "is now different, and says so with newword" + std::to_string(i);
    put(*index, skill);
    index->commit("2");
  });
  index->waitUntilKept();
  std::printf("%7zu put %.2f ms each, commit %.1f ms, merging and keeping %.0f ms\n", count,
              putting / static_cast<double>(count), commit, keep);
  std::printf("        %.0f bytes of memory a skill, %.1f MB in all; %zu segments\n",
              resident * 1e6 / static_cast<double>(count), resident,
              index->snapshot()->segments().size());
  std::printf("        one changed and committed: p50 %.2f ms, p99 %.2f ms\n", change.half,
              change.nearlyAll);
  askBoth(*index, texts);
  if (folder.empty()) return;
  index.reset();
  startAgain(count, texts, folder);
}

} // namespace

int main(int count, char **values) try {
  constexpr const char *usage = "usage: keyword_scale_bench [--skills=DIR] [--questions=FILE] "
                                "[--folder=DIR [--kept]] ENTRIES...\n";
  if (count < 2) return bench::refuse("no ENTRIES", usage);
  Texts texts = madeUp();
  std::string folder;
  bool kept = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view text = values[i];
    if (text.starts_with("--skills=")) {
      texts = copies(std::string(text.substr(9)));
      continue;
    }
    if (text.starts_with("--folder=")) {
      folder = text.substr(9);
      continue;
    }
    if (text.starts_with("--questions=")) {
      texts.question = questions(std::string(text.substr(12)));
      continue;
    }
    if (text == "--kept") {
      kept = true;
      continue;
    }
    if (text.starts_with('-'))
      return bench::endedByOption(2, values + i - 1, usage).value_or(bench::wrongUsage);
    std::size_t entries = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), entries);
    if (read.ptr != text.data() + text.size() || entries == 0)
      return bench::refuse("ENTRIES must be numbers of 1 or more", usage);
    kept ? startAgain(entries, texts, folder) : run(entries, texts, folder);
  }
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "keyword_scale_bench: %s\n", error.what());
  return 1;
}
