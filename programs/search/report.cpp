// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include "evaluation/bootstrap.hpp"
#include "ground/counted.hpp"
#include "ground/json.hpp"
#include "ground/shown.hpp"
#include "ground/utf8.hpp"
#include "json_output.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

namespace skillhost::app {
namespace {

using evaluation::Difference;
using evaluation::Measured;
using evaluation::Question;

constexpr std::size_t maxChanges = 20;      // printed for each kind
constexpr std::size_t longestQuestion = 90; // bytes of a question

struct Measure {
  const char *name;
  double Measured::*of;
};
constexpr std::array<Measure, 4> measures{{{"Hit@1", &Measured::hit},
                                           {"MRR@10", &Measured::reciprocalRank},
                                           {"nDCG@10", &Measured::gain},
                                           {"Recall@10", &Measured::recall}}};

// The outcome for a question: the place of the first right skill, or whether the search rightly
// found nothing.
struct Outcome {
  const Question *question;
  std::size_t own, other; // smaller is better; 0: rightly found nothing
};

constexpr std::size_t notFound = evaluation::depth + 1;

std::size_t placeOf(const Question &question, const AnsweredQuestion &found) {
  if (question.skills.empty()) return found.names.empty() ? 0 : notFound;
  return found.measured.rank == 0 ? notFound : found.measured.rank;
}

// The totals for questions with a skill and for those without.
struct Figures {
  evaluation::Measures measures;
  std::size_t unanswered = 0; // questions with a skill for which nothing was found
  std::size_t nothing = 0, rightlyNone = 0;
};

Figures figuresOf(const std::vector<Question> &questions, const Evaluation &evaluation) {
  Figures figures;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const AnsweredQuestion &found = evaluation.found[i];
    if (questions[i].skills.empty()) {
      ++figures.nothing;
      if (found.names.empty()) ++figures.rightlyNone;
      continue;
    }
    figures.measures.add(found.measured);
    if (found.names.empty()) ++figures.unanswered;
  }
  return figures;
}

std::array<double, measures.size()> meansOf(const evaluation::Measures &all) {
  return {all.hit(), all.reciprocalRank(), all.gain(), all.recall()};
}

Difference differenceOf(const EvaluationReport &report, double Measured::*measure) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < report.questions.size(); ++i)
    if (!report.questions[i].skills.empty())
      differences.push_back(report.other->found[i].measured.*measure -
                            report.own.found[i].measured.*measure);
  return evaluation::bootstrap(differences);
}

std::vector<Outcome> changesOf(const EvaluationReport &report) {
  std::vector<Outcome> changes;
  for (std::size_t i = 0; i < report.questions.size(); ++i) {
    const Question &question = report.questions[i];
    const Outcome outcome{&question, placeOf(question, report.own.found[i]),
                          placeOf(question, report.other->found[i])};
    if (outcome.own != outcome.other) changes.push_back(outcome);
  }
  return changes;
}

Json figuresJson(const std::vector<Question> &questions, const Evaluation &evaluation) {
  const Figures figures = figuresOf(questions, evaluation);
  Json json{{"plugin", evaluation.plugin},
            {"skills", evaluation.skills},
            {"questions", figures.measures.count()}};
  const auto means = meansOf(figures.measures);
  for (std::size_t i = 0; i < measures.size() && figures.measures.count() > 0; ++i)
    json[measures[i].name] = means[i];
  json["unanswered"] = figures.unanswered;
  json["about_nothing"] = {{"questions", figures.nothing}, {"rightly_none", figures.rightlyNone}};
  return json;
}

Json placeJson(const Question &question, std::size_t place) {
  if (question.skills.empty()) return place == 0 ? Json("none") : Json("some");
  return place == notFound ? Json(nullptr) : Json(place);
}

void printReport(const EvaluationReport &report) {
  Json json{{"file", report.file}};
  json.update(figuresJson(report.questions, report.own));
  json["unknown"] = Json::array();
  for (const UnknownName &one : report.own.unknown)
    json["unknown"].push_back({{"line", one.line}, {"name", one.name}});
  if (report.other != nullptr) {
    Json &against = json["against"] = figuresJson(report.questions, *report.other);
    against["file"] = report.otherFile;
    Json &differences = json["differences"] = Json::object();
    if (json["questions"] != 0)
      for (const Measure &measure : measures) {
        const Difference one = differenceOf(report, measure.of);
        differences[measure.name] = {
            {"mean", one.mean}, {"low", one.low}, {"high", one.high}, {"sure", one.isSure()}};
      }
    json["changed"] = Json::array();
    for (const Outcome &one : changesOf(report)) {
      Json &changed = json["changed"].emplace_back(Json{{"line", one.question->line}});
      if (!one.question->id.empty()) changed["_id"] = one.question->id;
      changed["text"] = one.question->text;
      changed["first"] = placeJson(*one.question, one.own);
      changed["first_against"] = placeJson(*one.question, one.other);
    }
  }
  printJson(json);
}

std::string shownPlace(const Question &question, std::size_t place) {
  if (question.skills.empty()) return place == 0 ? "none" : "some";
  return place == notFound ? "-" : std::to_string(place);
}

void printChanges(const char *heading, const std::vector<Outcome> &changes) {
  if (changes.empty()) return;
  printShown(stdout, "%s: %s\n", heading, counted(changes.size(), "question").c_str());
  for (std::size_t i = 0; i < std::min(maxChanges, changes.size()); ++i) {
    const Outcome &one = changes[i];
    const std::string text = shownLine(one.question->text);
    printShown(stdout, "  line %zu: %s -> %s  %s%s\n", one.question->line,
               shownPlace(*one.question, one.own).c_str(),
               shownPlace(*one.question, one.other).c_str(),
               std::string(cutUtf8(text, longestQuestion)).c_str(),
               text.size() > longestQuestion ? " …" : "");
  }
  if (changes.size() > maxChanges)
    printShown(stdout, "  and %zu more, which --json lists\n", changes.size() - maxChanges);
}

void printOne(const Figures &own) {
  const auto means = meansOf(own.measures);
  if (own.measures.count() > 0) {
    for (std::size_t i = 0; i < measures.size(); ++i)
      printShown(stdout, "%-10s %.4f\n", measures[i].name, means[i]);
    printShown(stdout, "%-10s %zu of %zu\n", "no answer", own.unanswered, own.measures.count());
  }
  if (own.nothing > 0)
    printShown(stdout, "%s that no skill answers: rightly none found for %zu\n",
               counted(own.nothing, "question").c_str(), own.rightlyNone);
}

void printTwo(const EvaluationReport &report, const Figures &own, const Figures &other) {
  const std::string name = std::filesystem::path(report.otherFile).filename().string();
  printShown(stdout, "%-10s %10s %10s %11s   95 %% interval\n", "", "this", "other", "difference");
  const auto before = meansOf(own.measures);
  const auto after = meansOf(other.measures);
  for (std::size_t i = 0; i < measures.size() && own.measures.count() > 0; ++i) {
    const Difference one = differenceOf(report, measures[i].of);
    printShown(stdout, "%-10s %10.4f %10.4f %+11.4f   %+.4f to %+.4f%s\n", measures[i].name,
               before[i], after[i], one.mean, one.low, one.high,
               one.isSure() ? "" : "  (may be chance)");
  }
  if (own.measures.count() > 0)
    printShown(stdout, "%-10s %10zu %10zu   of %zu\n", "no answer", own.unanswered,
               other.unanswered, own.measures.count());
  if (own.nothing > 0)
    printShown(stdout, "%-10s %10zu %10zu   rightly, of %s that no skill answers\n", "none found",
               own.rightlyNone, other.rightlyNone, counted(own.nothing, "question").c_str());
  std::vector<Outcome> better;
  std::vector<Outcome> worse;
  for (const Outcome &one : changesOf(report))
    (one.other < one.own ? better : worse).push_back(one);
  printShown(stdout,
             "this is %s, other is %s by %s; the place of the first right skill, - where it "
             "is not among the first ten:\n",
             report.own.plugin.c_str(), report.other->plugin.c_str(), name.c_str());
  printChanges("better with the other", better);
  printChanges("worse with the other", worse);
  if (better.empty() && worse.empty()) printShown(stdout, "no question comes out differently\n");
}

} // namespace

void printReport(const EvaluationReport &report, bool asJson) {
  if (asJson) return printReport(report);
  const Figures own = figuresOf(report.questions, report.own);
  printShown(stdout, "%s, %s: %s\n", counted(report.own.skills, "skill").c_str(),
             counted(report.questions.size(), "question").c_str(), report.own.plugin.c_str());
  if (report.other == nullptr)
    printOne(own);
  else
    printTwo(report, own, figuresOf(report.questions, *report.other));
}

} // namespace skillhost::app
