// SPDX-License-Identifier: Apache-2.0
// Draws catalogues of few skills and asks them questions that one of their skills answers,
// questions about neighbouring fields that none answers, and questions about unrelated subjects.
// Prints how many of each kind score below which limit, and which other measures would separate
// them.
#include "collection.hpp"
#include "embedded.hpp"
#include "hybrid/fusion.hpp"
#include "keyword/index.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;
using namespace skillhost::retrieval;

namespace {

enum class Kind : std::uint8_t { Answered, Neighbour, Nothing };
constexpr std::array<const char *, 3> kindNames{"answered", "neighbours", "nothing"};

// The measures by which a hit might be judged. Measures of a hit are those of the hit with the
// strongest evidence.
enum Measure : std::uint8_t {
  Keyword,          // the score of the plugin keyword
  Hybrid,           // the score of the plugin hybrid
  Coverage,         // the share of the question's information that the hit has
  Strength,         // the sum of the hit's words, as a share of the sum of the rarest words
  ToldCoverage,     // the same two by name and description alone, without the body
  ToldStrength,     //
  Cosine,           // cosine of the nearest skill
  CosineOverSecond, // how much nearer it is than the second
  Measures
};
constexpr std::array<const char *, Measures> measureNames{
    "keyword score", "hybrid score",  "coverage", "strength",
    "told coverage", "told strength", "cosine",   "lead"};

struct Row {
  std::size_t size = 0; // of the catalogue
  Kind kind{};
  bool isEven = false; // the line of the question
  std::array<double, Measures> measures{};
};

struct Asked {
  std::string text;
  std::set<std::string> relevant;
  bool isEven = false;
  std::shared_ptr<const hybrid::QuestionVectors> vectors; // null without a model
};

keyword::Evidence strongest(const keyword::Search &words) {
  keyword::Evidence best;
  double most = -1e9;
  for (const keyword::Ranked &hit : words.hitsToCalibrate()) {
    const keyword::Evidence one = words.evidence(hit.entry);
    const double odds =
        keyword::fitByWords(one) - keyword::steepness * std::log(words.bestScore() / hit.score);
    if (odds <= most) continue;
    most = odds;
    best = one;
  }
  return best;
}

class SmallCatalogue {
public:
  SmallCatalogue(const std::vector<const Document *> &skills, const hybrid::Meaning *meaning)
      : size_(skills.size()), meaning_(meaning) {
    for (const Document *skill : skills) {
      whole_.put({skill->id, skill->title, skill->text, skill->body, {}, {}});
      told_.put({skill->id, skill->title, skill->text, {}, {}, {}});
    }
    whole_.commit("1");
    told_.commit("1");
  }

  Row ask(const Asked &question, Kind kind) const {
    Row row{size_, kind, question.isEven, {}};
    const keyword::Search words = whole_.search(question.text, {});
    if (const auto hits = whole_.query(question.text, {}, 1); !hits.empty())
      row.measures[Keyword] = hits.front().score;
    const keyword::Evidence whole = strongest(words);
    const keyword::Evidence told = strongest(told_.search(question.text, {}));
    row.measures[Coverage] = whole.coverage;
    row.measures[Strength] = whole.strength;
    row.measures[ToldCoverage] = told.coverage;
    row.measures[ToldStrength] = told.strength;
    if (!question.vectors) return row;
    std::vector<double> cosines{0, 0};
    for (const hybrid::Fused &hit : fuse(words, *question.vectors, *meaning_, {}, size_, [] {})) {
      row.measures[Hybrid] = std::max(row.measures[Hybrid], hit.score);
      cosines.push_back(hit.cosine);
    }
    std::sort(cosines.rbegin(), cosines.rend());
    row.measures[Cosine] = cosines[0];
    row.measures[CosineOverSecond] = cosines[0] - cosines[1];
    return row;
  }

private:
  const std::size_t size_;
  const hybrid::Meaning *const meaning_;
  keyword::Index whole_{keyword::Options{}}, told_{keyword::Options{}};
};

double share(const std::vector<Row> &rows, std::size_t size, Kind kind, bool isEven,
             Measure measure, double limit) {
  std::size_t all = 0, below = 0;
  for (const Row &row : rows) {
    if (row.size != size || row.kind != kind || row.isEven != isEven) continue;
    ++all;
    if (row.measures[measure] < limit) ++below;
  }
  return all == 0 ? 0 : 100.0 * static_cast<double>(below) / static_cast<double>(all);
}

// Returns the highest limit below which at most the share `lost` of the answered questions of even
// lines lies.
double limitFor(const std::vector<Row> &rows, std::size_t size, Measure measure) {
  constexpr double lost = 0.02;
  std::vector<double> values;
  for (const Row &row : rows)
    if (row.size == size && row.kind == Kind::Answered && row.isEven)
      values.push_back(row.measures[measure]);
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(lost * static_cast<double>(values.size()))];
}

void report(const std::vector<Row> &rows, const std::vector<std::size_t> &sizes, bool hasModel) {
  constexpr std::array<double, 8> limits{0.35, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9};
  for (const Measure measure : {Keyword, Hybrid}) {
    if (measure == Hybrid && !hasModel) continue;
    std::printf("\n%s, odd lines, %% below ", measureNames[measure]);
    for (const double limit : limits) std::printf("%8.2f", limit);
    for (const std::size_t size : sizes)
      for (const Kind kind : {Kind::Answered, Kind::Neighbour, Kind::Nothing}) {
        std::printf("\n%4zu skills, %-18s", size, kindNames[static_cast<std::size_t>(kind)]);
        for (const double limit : limits)
          std::printf("%8.1f", share(rows, size, kind, false, measure, limit));
      }
    std::printf("\n");
  }
  std::printf(
      "\nwith a limit that 2 %% of the answered questions of even lines are below; %% of odd "
      "lines below it:\n%-16s%8s%10s%10s%12s%10s\n",
      "measure", "skills", "limit", kindNames[0], kindNames[1], kindNames[2]);
  for (std::size_t at = 0; at < Measures; ++at)
    for (const std::size_t size : sizes) {
      const auto measure = static_cast<Measure>(at);
      const double limit = limitFor(rows, size, measure);
      std::printf("%-16s%8zu%10.3f%10.1f%12.1f%10.1f\n", measureNames[at], size, limit,
                  share(rows, size, Kind::Answered, false, measure, limit),
                  share(rows, size, Kind::Neighbour, false, measure, limit),
                  share(rows, size, Kind::Nothing, false, measure, limit));
    }
}

void print(const std::vector<Row> &rows, const std::string &file) {
  std::ofstream out(file);
  out << "size\tkind\teven";
  for (const char *name : measureNames) out << '\t' << name;
  for (const Row &row : rows) {
    out << '\n'
        << row.size << '\t' << kindNames[static_cast<std::size_t>(row.kind)] << '\t' << row.isEven;
    for (const double value : row.measures) out << '\t' << value;
  }
  out << '\n';
}

std::vector<Asked> questionsOf(const Collection &collection) {
  std::vector<Asked> all;
  for (const Question &question : collection.questions)
    all.push_back({question.text, question.relevant, all.size() % 2 == 0, nullptr});
  return all;
}

std::vector<Asked> questionsAboutNothing(const std::string &file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  std::vector<Asked> all;
  for (std::string line; std::getline(in, line);)
    if (!line.empty())
      all.push_back({nlohmann::json::parse(line).at("text"), {}, all.size() % 2 == 0, nullptr});
  return all;
}

// Draws `size` skills; a third of them, as far as there are enough, answer some question.
std::vector<const Document *> draw(std::vector<const Document *> answering,
                                   std::vector<const Document *> others, std::size_t size,
                                   std::mt19937 &random) {
  std::shuffle(answering.begin(), answering.end(), random);
  std::shuffle(others.begin(), others.end(), random);
  answering.resize(std::min(answering.size(), std::max<std::size_t>(size / 3, 1)));
  others.resize(size - answering.size());
  answering.insert(answering.end(), others.begin(), others.end());
  return answering;
}

void run(const std::string &folder, const std::string &model, const std::string &cache,
         const std::string &rowsFile) {
  const Collection skills = readCollection(folder + "/skill-queries");
  std::vector<Asked> questions = questionsOf(skills);
  for (Asked &question : questionsOf(readCollection(folder + "/task-queries")))
    questions.push_back(std::move(question));
  std::vector<Asked> nothing = questionsAboutNothing(folder + "/no-skill-queries.jsonl");
  std::shared_ptr<const hybrid::Meaning> meaning;
  if (!model.empty()) {
    meaning = embedded(skills, model, cache);
    for (std::vector<Asked> *const list : {&questions, &nothing})
      for (Asked &question : *list) question.vectors = meaning->question(question.text, [] {});
  }
  std::set<std::string> relevant;
  for (const Asked &question : questions)
    relevant.insert(question.relevant.begin(), question.relevant.end());
  std::vector<const Document *> answering, others;
  for (const Document &skill : skills.documents)
    (relevant.contains(skill.id) ? answering : others).push_back(&skill);

  constexpr unsigned seed = 20'261'128;
  constexpr unsigned oneOf = 10; // one in ten, because the neighbours are many
  const std::vector<std::pair<std::size_t, int>> draws{{3, 150}, {17, 60}, {50, 30}, {99, 30}};
  std::mt19937 random(seed);
  std::vector<Row> rows;
  std::vector<std::size_t> sizes;
  for (const auto &[size, times] : draws) {
    sizes.push_back(size);
    for (int time = 0; time < times; ++time) {
      const std::vector<const Document *> drawn = draw(answering, others, size, random);
      std::set<std::string> ids;
      for (const Document *const skill : drawn) ids.insert(skill->id);
      const SmallCatalogue catalogue(drawn, meaning.get());
      for (const Asked &question : questions) {
        const bool isAnswered =
            std::any_of(question.relevant.begin(), question.relevant.end(),
                        [&](const std::string &id) { return ids.contains(id); });
        if (isAnswered || random() % oneOf == 0)
          rows.push_back(catalogue.ask(question, isAnswered ? Kind::Answered : Kind::Neighbour));
      }
      for (const Asked &question : nothing) rows.push_back(catalogue.ask(question, Kind::Nothing));
    }
  }
  report(rows, sizes, meaning != nullptr);
  if (!rowsFile.empty()) print(rows, rowsFile);
}

} // namespace

int main(int count, char **values) {
  try {
    std::map<std::string, std::string> options{{"--model", ""}, {"--cache", ""}, {"--rows", ""}};
    std::string folder;
    for (const std::string &argument : std::vector<std::string>(values + 1, values + count)) {
      const auto option = options.find(argument.substr(0, argument.find('=')));
      if (option != options.end() && argument.find('=') != std::string::npos)
        option->second = argument.substr(argument.find('=') + 1);
      else if (argument.starts_with("--") || !folder.empty())
        throw std::runtime_error("unknown argument " + argument);
      else
        folder = argument;
    }
    if (folder.empty()) {
      std::fputs(
          "usage: small_catalogues [--model=DIR [--cache=FILE]] [--rows=FILE] DIR\n"
          "DIR is what sets.py has made; FILE of --rows gets a line for each question asked.\n",
          stderr);
      return 1;
    }
    run(folder, options["--model"], options["--cache"], options["--rows"]);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "small_catalogues: %s\n", error.what());
    return 1;
  }
}
