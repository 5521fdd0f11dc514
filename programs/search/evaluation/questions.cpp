// SPDX-License-Identifier: Apache-2.0
#include "evaluation/questions.hpp"

#include "ground/json.hpp"
#include "ground/read_file.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace skillhost::evaluation {
namespace {

constexpr std::size_t maxShownBytes = 60; // bytes of a value, in a message
constexpr std::string_view form = R"(write {"text": "…", "skills": ["name"]})";

std::string shown(const Json &value) {
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= maxShownBytes ? text : std::string(cutUtf8(text, maxShownBytes)) + "…";
}

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

Result<Question> questionIn(const Json &line) {
  const auto refuse = [](const std::string &why) {
    return Failure{Fault::InvalidInput, why + "; " + std::string(form)};
  };
  if (!line.is_object()) return refuse("expected a JSON object, found " + shown(line));
  Question question;
  const auto text = line.find("text");
  if (text == line.end()) return refuse("\"text\" is missing");
  if (!text->is_string() || isBlank(text->get_ref<const std::string &>()))
    return refuse("\"text\" is to be the question, found " + shown(*text));
  question.text = *text;
  const auto skills = line.find("skills");
  // A line with only a text is a question that no skill answers. Any other member may be a slip.
  if (skills == line.end()) {
    for (const auto &[name, value] : line.items())
      if (name != "text" && name != "_id")
        return refuse(R"("skills" is missing ([] says that no skill answers it), and ")" +
                      std::string(cutUtf8(name, maxShownBytes)) + "\" is there");
    return question;
  }
  if (!skills->is_array() || std::any_of(skills->begin(), skills->end(), [](const Json &one) {
        return !one.is_string() || one.get_ref<const std::string &>().empty();
      }))
    return refuse("\"skills\" is to be a list of names, found " + shown(*skills));
  for (const Json &name : *skills) question.skills.push_back(name);
  if (const auto id = line.find("_id"); id != line.end()) {
    if (!id->is_string() && !id->is_number_integer())
      return refuse("\"_id\" is to be a text or a number, found " + shown(*id));
    question.id = id->is_string() ? id->get<std::string>() : id->dump();
  }
  return question;
}

} // namespace

Result<std::vector<Question>> readQuestions(const std::string &path) {
  const Result<std::string> file = readFile(path, largestFile, FileKind::Any);
  if (!file) return {file.failure().fault, path + ": " + file.failure().message};
  std::string_view rest = *file;
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
  if (rest.starts_with(byteOrderMark)) rest.remove_prefix(byteOrderMark.size());
  std::vector<Question> questions;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::string place = path + ":" + std::to_string(number) + ": ";
    if (line.size() > longestLine)
      return {Fault::TooLarge, place + "the line has " + std::to_string(line.size()) +
                                   " bytes; a question may have " + std::to_string(longestLine)};
    if (isBlank(line)) continue;
    const Result<Json> json = parseJson(line);
    if (!json)
      return {Fault::InvalidInput, place + json.failure().message + "; " + std::string(form)};
    Result<Question> question = questionIn(*json);
    if (!question) return {question.failure().fault, place + question.failure().message};
    question->line = number;
    questions.push_back(*std::move(question));
  }
  if (questions.empty())
    return {Fault::InvalidInput,
            path + ": there is no question in it; " + std::string(form) + ", one a line"};
  return questions;
}

} // namespace skillhost::evaluation
