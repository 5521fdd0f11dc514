// SPDX-License-Identifier: Apache-2.0
#include "skillmd/assessment.hpp"

#include "ground/text.hpp"
#include "skillmd/content_findings.hpp"
#include "skillmd/field_reader.hpp"
#include "skillmd/name_rules.hpp"
#include "skillmd/requirements.hpp"
#include "skillmd/slug.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxDescriptionLength = 1024;
constexpr std::size_t maxCompatibilityLength = 500;
constexpr std::array<std::string_view, 6> knownFields{
    "name", "description", "license", "compatibility", "metadata", "allowed-tools"};

constexpr const char *withheldWords = "; the skill is withheld from skills/list";

std::string shown(std::string_view text) { return "`" + mendUtf8(cutUtf8(text, 100)) + "`"; }

class Assessor {
public:
  Assessor(const FrontMatter &matter, std::string_view folderName, std::string_view file,
           Strictness strictness)
      : matter_(matter), folder_(folderName), file_(file),
        strict_(strictness == Strictness::Strict), basic_(strictness == Strictness::Basic) {}

  Assessment run() {
    SkillFields fields;
    extension_ = !matter_.mended; // the extension's clients read the YAML as it is
    fields.name = name();
    fields.description = description();
    readFields(matter_, file_, fields, result_.findings);
    fields.mustKeepName = basic_;
    fields.toolName = servedAs(fields.name);
    // The author's name is shown wherever a title is shown.
    if (fields.title.empty() && fields.toolName != fields.name) fields.title = fields.name;
    checkText("license");
    fields.listsTools = listsTools();
    if (!fields.listsTools) checkText("allowed-tools");
    checkCompatibility();
    checkMetadata();
    if (strict_) checkStrictShape();
    std::vector<Finding> unwise = inspectFields(fields, matter_, file_);
    std::move(unwise.begin(), unwise.end(), std::back_inserter(result_.findings));
    std::vector<Finding> missing = findMissingRequirements(matter_, file_);
    std::move(missing.begin(), missing.end(), std::back_inserter(result_.findings));
    const bool skipped =
        std::any_of(result_.findings.begin(), result_.findings.end(),
                    [](const Finding &each) { return each.severity == Severity::Error; });
    if (skipped) return std::move(result_);
    result_.servedByExtension = extension_;
    result_.fields = std::move(fields);
    return std::move(result_);
  }

private:
  void add(Severity severity, std::string_view key, std::string_view code, std::string message,
           std::string advice) {
    result_.findings.push_back(
        findingAt(matter_, file_, key, severity, code, std::move(message), std::move(advice)));
  }
  void error(std::string_view key, std::string_view code, std::string message, std::string advice) {
    add(Severity::Error, key, code, std::move(message), std::move(advice));
  }
  // Records a breach of the extension's rules. Clients would refuse the whole listing because of
  // it, so the skill is left out there.
  void withhold(std::string_view key, std::string_view code, std::string message,
                std::string advice) {
    extension_ = false;
    if (!strict_) message += withheldWords;
    add(strict_ ? Severity::Error : Severity::Warning, key, code, std::move(message),
        std::move(advice));
  }
  // Records a breach that the reference validator accepts, because it reads every scalar as text.
  // Clients that receive a number refuse it all the same.
  void withholdOnly(std::string_view key, std::string_view code, const std::string &message,
                    std::string advice) {
    extension_ = false;
    add(Severity::Warning, key, code, message + withheldWords, std::move(advice));
  }
  const Json *field(std::string_view key) const {
    const auto found = matter_.fields.find(key);
    return found == matter_.fields.end() ? nullptr : &*found;
  }

  std::string name() {
    const Json *value = field("name");
    std::optional<std::string> text = value == nullptr ? std::nullopt : matter_.text("name");
    if (!text || onlyWhiteSpace(*text)) return nameFromFolder(value);
    if (!value->is_string())
      withholdOnly("name", "name-not-text", "the name is not text but " + shown(*text),
                   "write it in quotes");
    if (basic_ && !keepsBasicNameRule(*text))
      error("name", "name-invalid",
            "the name " + shown(*text) +
                " breaks a rule: it is not 1 to 99 letters, digits, hyphens and underscores",
            "use a name like `pdf-forms`");
    else if (const std::string_view rule = brokenNameRule(*text); !rule.empty()) {
      std::string message = "the name " + shown(*text) + " breaks a rule: ";
      message += rule;
      if (!strict_) message += "; the tools serve it as " + shown(servedAs(*text));
      withhold("name", "name-invalid", std::move(message),
               "use 1 to 64 lower-case letters, digits and single hyphens, like `pdf-forms`");
    }
    if (!folder_.empty() && *text != folder_)
      add(strict_ ? Severity::Error : Severity::Warning, "name", otherFolderCode,
          "the name " + shown(*text) + " is not the name of its folder, " + shown(folder_),
          "rename one of them");
    return *std::move(text);
  }
  // Returns the name by which the tools call a skill with this name.
  std::string servedAs(const std::string &name) const {
    return basic_ ? name : toolNameOf(name, folder_);
  }
  // Returns a key of the document that differs from `key` only in case; empty: there is none.
  std::string inOtherCase(std::string_view key) const {
    for (const FrontMatter::Key &one : matter_.keys)
      if (asciiLowered(one.name) == key) return one.name;
    return {};
  }
  static std::string keysAreSmall(const std::string &other) {
    return other.empty() ? std::string() : ", but `" + other + "`: keys are in small letters";
  }
  std::string nameFromFolder(const Json *value) {
    const std::string other = value == nullptr ? inOtherCase("name") : std::string();
    const std::string what = value == nullptr ? "there is no name" + keysAreSmall(other)
                             : value->is_null() || value->is_string() ? "the name is empty"
                                                                      : "the name is not text";
    const std::string advice =
        "write `name: " +
        (onlyWhiteSpace(folder_) ? "the-folder-name" : toolNameOf(folder_, folder_)) + "`";
    if (basic_) {
      error("name", "name-missing", what, advice);
      return {};
    }
    if (!onlyWhiteSpace(folder_)) {
      withhold("name", "name-missing", what + ": the folder's, " + shown(folder_) + ", is used",
               advice);
      return std::string(folder_);
    }
    error("name", "name-missing", what + ", and there is no folder whose name could stand in",
          advice);
    return {};
  }

  std::string description() {
    const Json *value = field("description");
    if (value == nullptr) {
      const std::string other = inOtherCase("description");
      error(other.empty() ? "description" : other, "description-missing",
            "there is no description" + keysAreSmall(other),
            "write `description: What it does and when to use it.`");
      return {};
    }
    if (!matter_.described.empty()) return matter_.described;
    std::string text = matter_.text("description").value_or(std::string());
    if (!value->is_string() && !value->is_null()) {
      constexpr std::string_view message = "the description is not text";
      constexpr std::string_view advice = "write it as one text, in quotes if need be";
      if (strict_ || onlyWhiteSpace(text)) {
        error("description", "description-not-text", std::string(message), std::string(advice));
        return {};
      }
      withhold("description", "description-not-text",
               std::string(message) + ": it is served as it is written", std::string(advice));
    }
    if (onlyWhiteSpace(text)) {
      error("description", "description-empty", "the description is empty",
            "say what the skill does and when to use it");
      return {};
    }
    if (const std::size_t length = lengthOf(text); length > maxDescriptionLength)
      withhold("description", "description-too-long",
               "the description has " + std::to_string(length) + " characters, and at most " +
                   std::to_string(maxDescriptionLength) + " are allowed",
               "move details into the body");
    return text;
  }

  // Clients in JavaScript count UTF-16 units; the reference validator counts characters.
  std::size_t lengthOf(std::string_view text) const noexcept {
    return strict_ ? countCharacters(text) : countUtf16(text);
  }

  void checkCompatibility() {
    const Json *value = field("compatibility");
    if (value == nullptr) return;
    if (!value->is_string()) {
      constexpr std::string_view code = "compatibility-not-text";
      const std::string message = "`compatibility` is not text",
                        advice = "write it in quotes, or remove the field";
      if (matter_.text("compatibility"))
        withholdOnly("compatibility", code, message, advice);
      else
        withhold("compatibility", code, message, advice);
      return;
    }
    const std::size_t length = lengthOf(value->get_ref<const std::string &>());
    if (length >= 1 && length <= maxCompatibilityLength) return;
    withhold("compatibility", "compatibility-length",
             "`compatibility` has " + std::to_string(length) + " characters, and 1 to " +
                 std::to_string(maxCompatibilityLength) + " are allowed",
             "shorten it, or remove the field");
  }

  // Clients refuse the whole listing if this field is not text.
  void checkText(const std::string &key) {
    const Json *value = field(key);
    if (value == nullptr || value->is_string()) return;
    withholdOnly(key, key + "-not-text", "`" + key + "` is not text",
                 value->is_array()  ? "write one line of text, the items with a blank between them"
                 : value->is_null() ? "write what it is, or remove the field"
                                    : "write it in quotes");
  }

  // The official client accepts a list of texts. FastMCP's refuses the whole listing because of it.
  bool listsTools() {
    const Json *const value = field("allowed-tools");
    const auto isText = [](const Json &item) { return item.is_string(); };
    if (value == nullptr || !value->is_array() ||
        !std::all_of(value->begin(), value->end(), isText))
      return false;
    add(Severity::Warning, "allowed-tools", "allowed-tools-not-text",
        "`allowed-tools` is a list, and the format has one line of text; the skill is withheld "
        "from "
        "skills/list for clients that may refuse it: FastMCP's, and those without a name",
        "write one line of text, the items with a blank between them");
    return true;
  }

  void checkMetadata() {
    const Json *value = field("metadata");
    if (value == nullptr) return;
    if (!value->is_object()) {
      withhold("metadata", "metadata-not-a-map", "`metadata` is not a map",
               "write `key: \"value\"` lines below it, or remove the field");
      return;
    }
    std::size_t wrong = 0;
    for (const auto &[key, item] : value->items()) {
      if (item.is_string()) continue;
      const std::optional<std::string> text =
          item.is_structured() ? std::nullopt : matter_.text("metadata/" + key);
      constexpr std::size_t enough = 5;
      if (++wrong > enough) return;
      const std::string message = "`metadata." + key.substr(0, 100) + "` is not text";
      if (text)
        withholdOnly("metadata", "metadata-not-text", message,
                     "write `" + key.substr(0, 100) + ": \"" + *text + "\"`");
      else
        withhold("metadata", "metadata-not-text", message, "write one line of text in quotes");
    }
  }

  void checkStrictShape() {
    for (const FrontMatter::Key &key : matter_.keys)
      if (std::find(knownFields.begin(), knownFields.end(), key.name) == knownFields.end())
        error(key.name, "field-unknown", "the field " + shown(key.name) + " is not in the format",
              "move it below `metadata`");
    if (matter_.flow)
      result_.findings.push_back({Severity::Error, "yaml-flow-style", std::string(file_),
                                  matter_.flow->line, matter_.flow->column,
                                  "lists and maps in brackets are not in the format",
                                  "write one item a line"});
  }

  const FrontMatter &matter_;
  std::string_view folder_, file_;
  bool strict_, basic_;
  bool extension_ = false;
  Assessment result_;
};

} // namespace

Assessment assess(const FrontMatter &matter, std::string_view folderName, std::string_view file,
                  Strictness strictness) {
  return Assessor(matter, folderName, file, strictness).run();
}

} // namespace skillhost
