// SPDX-License-Identifier: Apache-2.0
#include "skillmd/requirements.hpp"

#include "ground/json_member.hpp"
#include "skillmd/characters.hpp"
#include "skillmd/field_reader.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxNeeds = 64, maxNeedBytes = 64, maxOtherBytes = 200, maxWordsBytes = 500;

bool consistsOf(std::string_view text, std::string_view marks) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char one) {
    return letter(one) || digit(one) || marks.find(one) != npos;
  });
}

bool isVariable(std::string_view name) { return consistsOf(name, "_") && !digit(name.front()); }
bool isCommand(std::string_view name) { return consistsOf(name, "._+-") && name.front() != '-'; }
// Blanks would make sentences of the names, and "//" a URL.
bool isName(std::string_view name) { return consistsOf(name, "._-@/:") && name.find("//") == npos; }
// Returns true for one word such as "pandas>=1.5".
bool isPlain(std::string_view word) {
  return consistsOf(word, "._-+@/:;<>=~!^*()[]") && word.find("//") == npos;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Returns the names in a list of texts or of objects with a `name`, in the keys of an object, or in
// a text with commas. An entry that says `optional: true` or `required: false` is left out.
std::vector<std::string> namesIn(const Json &value) {
  std::vector<std::string> names;
  if (const auto *const text = value.get_ptr<const std::string *>()) {
    std::istringstream parts(*text);
    for (std::string part; std::getline(parts, part, ',');) names.emplace_back(trimmed(part));
  }
  if (value.is_array())
    for (const Json &one : value) {
      if (memberOf(one, "optional") == true || memberOf(one, "required") == false) continue;
      const Json &name = one.is_object() ? memberOf(one, "name") : one;
      if (name.is_string()) names.emplace_back(trimmed(name.get_ref<const std::string &>()));
    }
  if (const auto *const members = value.get_ptr<const Json::object_t *>())
    for (const auto &[key, ignored] : *members) names.push_back(key);
  return names;
}

// Returns the plain words of the value in one line.
std::string inOneLine(const Json &value) {
  std::string text;
  for (const std::string &name : namesIn(value))
    if (isPlain(name) && name.size() <= maxNeedBytes &&
        text.size() + name.size() + 2 <= maxOtherBytes)
      text += (text.empty() ? "" : ", ") + name;
  return text;
}

class RequirementReader {
public:
  Requirements found;

  // Reads the members of the front matter, of its `metadata`, or of a member of that.
  void readPlace(const Json &place) {
    const Json &needs = memberOf(place, "requires");
    if (needs.is_object())
      readNeeds(needs);
    else
      addOther("requires", needs);
    const Json &dependencies = memberOf(place, "dependencies");
    if (dependencies.is_object())
      readNeeds(dependencies);
    else
      addOther("dependencies", dependencies);
    const Json &before = memberOf(place, "prerequisites");
    add(found.commands, memberOf(before, "commands"), isCommand);
    add(found.variables, memberOf(before, "env_vars"), isVariable);
    add(found.variables, memberOf(place, "required_environment_variables"), isVariable);
    add(found.skills, memberOf(place, "requires_skills"), isName);
    readServers(place);
  }

private:
  void readNeeds(const Json &needs) {
    add(found.commands, memberOf(needs, "bins"), isCommand);
    add(found.variables, memberOf(needs, "env"), isVariable);
    add(found.skills, memberOf(needs, "skills"), isName);
    std::vector<std::string> any;
    add(any, memberOf(needs, "anyBins"), isCommand);
    if (!any.empty()) found.anyCommands.push_back(std::move(any));
    addOther("config", memberOf(needs, "config"));
    readServers(needs);
  }
  void readServers(const Json &place) {
    for (const char *key : {"mcpServers", "mcp_servers", "requiresMcpServers"})
      add(found.servers, memberOf(place, key), isName);
  }
  void add(std::vector<std::string> &names, const Json &value, bool (*isRight)(std::string_view)) {
    for (std::string &name : namesIn(value)) {
      const bool isKnown = std::find(names.begin(), names.end(), name) != names.end();
      if (isKnown || !isRight(name) || name.size() > maxNeedBytes || count_ == maxNeeds) continue;
      names.push_back(std::move(name));
      ++count_;
    }
  }
  void addOther(const char *key, const Json &value) {
    const std::string text = inOneLine(value);
    if (text.empty() || count_ == maxNeeds) return;
    found.others.push_back(std::string(key) + ": " + text);
    ++count_;
  }

  std::size_t count_ = 0;
};

std::string listed(const std::vector<std::string> &names, const char *last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? last : ", ") + names[i];
  return text;
}

bool isOnPath(const std::string &command, const std::string &path) {
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = folder + '/' + command;
    std::error_code ignored;
    if (!folder.empty() && fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
      return true;
  }
  return false;
}

std::string ofThisProcess(const std::string &variable) {
  const char *const value = std::getenv(variable.c_str()); // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

} // namespace

Requirements requirementsOf(const Json &frontMatter) {
  RequirementReader reader;
  reader.readPlace(frontMatter);
  const Json *metadata = &memberOf(frontMatter, "metadata");
  Json read;
  if (metadata->is_string() && metadata->get_ref<const std::string &>().starts_with('{'))
    if (Result<Json> parsed = parseJson(metadata->get_ref<const std::string &>())) {
      read = *std::move(parsed);
      metadata = &read;
    }
  reader.readPlace(*metadata);
  if (const auto *const members = metadata->get_ptr<const Json::object_t *>())
    for (const auto &[key, value] : *members)
      if (key != "requires" && key != "dependencies" && key != "prerequisites")
        reader.readPlace(value);
  return std::move(reader.found);
}

std::string requirementWords(const Requirements &needed) {
  std::string words;
  std::size_t left = 0; // how many do not fit
  const auto fits = [&](std::size_t bytes) { return words.size() + bytes <= maxWordsBytes; };
  const auto add = [&](const std::string &more) {
    if (fits(more.size()))
      words += (words.empty() ? "" : ", ") + more;
    else
      ++left;
  };
  const auto addNames = [&](const char *what, std::vector<std::string> names) {
    constexpr std::size_t reserved = 32; // for what is said before the names
    std::size_t bytes = reserved, fitting = 0;
    while (fitting < names.size() && fits(bytes += names[fitting].size() + 2)) ++fitting;
    left += names.size() - fitting;
    names.resize(fitting);
    if (!names.empty())
      add("the " + std::string(what) + (names.size() == 1 ? " " : "s ") + listed(names, " and "));
  };
  addNames("command", needed.commands);
  for (const std::vector<std::string> &any : needed.anyCommands)
    add((any.size() == 1 ? "the command " : "one of the commands ") + listed(any, " or "));
  addNames("environment variable", needed.variables);
  addNames("skill", needed.skills);
  addNames("MCP server", needed.servers);
  for (const std::string &other : needed.others) add(other);
  if (left != 0) words += " and " + std::to_string(left) + " more";
  return words;
}

std::string requirementLine(std::string_view frontMatter) {
  // Hardly any skill has one of these, and parsing takes longer than this.
  if (frontMatter.find("requir") == npos && frontMatter.find("dependencies") == npos &&
      frontMatter.find("prerequisites") == npos && frontMatter.find("mcp") == npos)
    return {};
  const Result<Json> read = parseJson(frontMatter);
  const std::string words = read ? requirementWords(requirementsOf(*read)) : std::string();
  if (words.empty()) return {};
  return "By its front matter this skill needs: " + words +
         ". Check that these are there before you begin, and tell the user what is missing.\n";
}

std::vector<std::string>
missingRequirements(const Requirements &needed, const std::string &path,
                    const std::function<std::string(const std::string &)> &valueOf) {
  std::vector<std::string> missing;
  for (const std::string &command : needed.commands)
    if (!isOnPath(command, path))
      missing.push_back("it needs the command " + command + ", which is not on PATH here");
  for (const std::vector<std::string> &any : needed.anyCommands)
    if (std::none_of(any.begin(), any.end(),
                     [&](const std::string &command) { return isOnPath(command, path); }))
      missing.push_back("it needs the command " + listed(any, " or ") +
                        ", which is not on PATH here");
  for (const std::string &variable : needed.variables)
    if (valueOf(variable).empty())
      missing.push_back("it needs the environment variable " + variable +
                        ", which is not set here");
  return missing;
}

std::vector<Finding> findMissingRequirements(const FrontMatter &matter, std::string_view file) {
  std::vector<Finding> findings;
  for (std::string &sentence :
       missingRequirements(requirementsOf(matter.fields), ofThisProcess("PATH"), ofThisProcess))
    findings.push_back(findingAt(matter, file, "metadata", Severity::Advice, requirementMissingCode,
                                 std::move(sentence),
                                 "the agents that use the skill may run elsewhere: make sure that "
                                 "they have it"));
  return findings;
}

} // namespace skillhost
