// SPDX-License-Identifier: Apache-2.0
#include "explained.hpp"

#include "ground/shown.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::size_t longestShown = 80;    // bytes of a sentence or of an unknown value
constexpr std::size_t explainedColumn = 12; // column at which explanations begin

std::string figure(const Json &value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3f", value.get<double>());
  return text.data();
}

std::string shortened(const std::string &text) {
  const std::string line = shownLine(text);
  return line.size() <= longestShown ? line : std::string(cutUtf8(line, longestShown)) + " …";
}

std::string shareText(const Json &of) {
  if (!of.contains("share")) return {};
  return " (" + std::to_string(std::lround(of.at("share").get<double>() * 100)) + " %)";
}

using Lines = std::vector<std::string>;

Lines wordsLines(const Json &value) {
  Lines lines;
  for (const Json &word : value) {
    std::string line = shownLine(word.at("word").get<std::string>());
    if (word.contains("stem") && word.at("stem") != word.at("word"))
      line += " as " + shownLine(word.at("stem").get<std::string>());
    if (word.contains("score")) line += ": " + figure(word.at("score"));
    line += shareText(word);
    std::string fields;
    const Json scores = word.value("field_scores", Json::object());
    if (const auto found = word.find("fields"); found != word.end())
      for (const auto &[field, count] : found->items()) {
        fields += (fields.empty() ? "" : ", ") + shownLine(field) + ' ' + count.dump();
        if (scores.contains(field)) fields += " (" + figure(scores.at(field)) + ")";
      }
    const bool isPart = word.contains("fields") && fields.empty();
    if (isPart) fields = "part of a longer word of the name";
    lines.push_back(line + (fields.empty() ? "" : "; " + fields));
  }
  return lines;
}

Lines missingLines(const Json &value) {
  std::string line;
  for (const Json &word : value)
    line += (line.empty() ? "" : ", ") + shownLine(word.get<std::string>());
  return line.empty() ? Lines{} : Lines{line};
}

Lines similarityLines(const Json &value) {
  if (value.at("runs") == 0) return {};
  return {value.at("runs").dump() + " runs of letters in common: " + figure(value.at("score")) +
          shareText(value)};
}

Lines sentencesLines(const Json &value) {
  Lines lines;
  for (const Json &sentence : value)
    lines.push_back(figure(sentence.at("score")) + "  " +
                    shortened(sentence.at("text").get<std::string>()));
  return lines;
}

Lines meaningLines(const Json &value) {
  if (value.contains("missing")) return {shownLine(value.at("missing").get<std::string>())};
  Lines lines;
  std::string line;
  if (value.contains("cosine")) line = "cosine " + figure(value.at("cosine"));
  if (value.contains("whole"))
    line += (line.empty() ? "" : ", ") + ("whole question " + figure(value.at("whole")));
  if (!line.empty()) lines.push_back(line);
  if (const auto best = value.find("best_sentence"); best != value.end())
    lines.push_back("best sentence " + figure(best->at("cosine")) + "  " +
                    shortened(best->at("text").get<std::string>()));
  return lines;
}

Lines fusionLines(const Json &value) {
  return {"words " + figure(value.at("words")) + " + meaning " + figure(value.at("meaning")) +
          " = " + figure(value.at("score"))};
}

Lines calibratedLines(const Json &value) {
  Lines lines;
  if (value.contains("score")) lines.push_back(figure(value.at("score")) + " of 1");
  std::string line;
  for (const auto &[member, shown] : {std::pair{"strength", "strength "},
                                      {"coverage", "coverage "},
                                      {"cosine", "nearest cosine "}})
    if (value.contains(member))
      line += (line.empty() ? "" : ", ") + (shown + figure(value.at(member)));
  if (!line.empty()) lines.push_back(line);
  return lines;
}

Lines nameLines(const Json &value) { return {"asked for: " + shownLine(value.get<std::string>())}; }

Lines scoreLines(const Json &value) { return {figure(value)}; }

struct ExplainedRow {
  const char *member;
  Lines (*lines)(const Json &);
};
constexpr std::array<ExplainedRow, 9> explainedRows{{{"score", &scoreLines},
                                                     {"calibrated", &calibratedLines},
                                                     {"name", &nameLines},
                                                     {"words", &wordsLines},
                                                     {"missing", &missingLines},
                                                     {"similarity", &similarityLines},
                                                     {"sentences", &sentencesLines},
                                                     {"meaning", &meaningLines},
                                                     {"fusion", &fusionLines}}};

Lines asItIs(const Json &value) {
  return {shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace))};
}

Lines linesOf(const ExplainedRow &row, const Json &value) {
  try {
    return row.lines(value);
  } catch (const Json::exception &) {
    return asItIs(value); // has an unexpected form
  }
}

void append(Lines &all, std::string name, const Lines &lines) {
  for (const std::string &line : lines) {
    name.resize(std::max<std::size_t>(name.size() + 1, explainedColumn), ' ');
    all.push_back(name + line);
    name.clear(); // only on the first line
  }
}

} // namespace

std::vector<std::string> explainedLines(const Json &explanation) {
  Lines all;
  for (const ExplainedRow &row : explainedRows)
    if (const auto value = explanation.find(row.member); value != explanation.end())
      append(all, row.member, linesOf(row, *value));
  for (const auto &[member, value] : explanation.items())
    if (std::none_of(
            explainedRows.begin(), explainedRows.end(),
            [&, &member = member](const ExplainedRow &row) { return member == row.member; }))
      append(all, shortened(member), asItIs(value));
  return all;
}

} // namespace skillhost::app
