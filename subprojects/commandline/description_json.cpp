// SPDX-License-Identifier: Apache-2.0
#include "commandline/description_file.hpp"
#include "commandline/suggest.hpp"
#include "ground/fault.hpp"
#include "ground/json.hpp"
#include "ground/json_member.hpp"
#include "ground/shown.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace skillhost::app {
namespace {

constexpr JsonLimits descriptionLimits{16, 100'000};
constexpr std::array<std::pair<ServerOptions, const char *>, 3> serverOptionWords{
    {{ServerOptions::Refused, "refused"},
     {ServerOptions::Ignored, "ignored"},
     {ServerOptions::Taken, "taken"}}};

bool isLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool isLetterOrDigit(char c) { return isLowerOrDigit(c) || (c >= 'A' && c <= 'Z'); }

// Accepts -x or --long-name.
bool isOptionName(std::string_view name) {
  if (name.size() == 2) return name.front() == '-' && isLetterOrDigit(name.back());
  return name.size() > 3 && name.starts_with("--") && isLetterOrDigit(name[2]) &&
         std::all_of(name.begin() + 2, name.end(),
                     [](char c) { return isLetterOrDigit(c) || c == '-'; });
}

bool isPositionalName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Completion scripts contain values without quotes.
bool isValueName(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    return isLetterOrDigit(c) || std::string_view("-_.:=+/|").find(c) != std::string_view::npos;
  });
}

Json argumentJson(const ArgumentDescription &argument, std::string_view usualGroup) {
  Json json{{"names", argument.names}};
  if (!argument.value.empty()) json["value"] = argument.value;
  json["help"] = argument.help;
  if (argument.group != usualGroup) json["group"] = argument.group;
  if (argument.valueOptional) json["value_optional"] = true;
  if (argument.repeats) json["repeats"] = true;
  return json;
}

Json commandJson(const CommandDescription &command) {
  Json json{{"name", command.name}, {"help", command.help}};
  if (command.inheritsOptions) json["inherits_options"] = true;
  for (const ArgumentDescription &option : command.options)
    json["options"].push_back(argumentJson(option, generalOptions));
  for (const ArgumentDescription &positional : command.positionals)
    json["arguments"].push_back(argumentJson(positional, ""));
  if (command.isGroup) return json;
  for (const CommandDescription &one : command.commands)
    json["commands"].push_back(commandJson(one));
  return json;
}

// Keeps the first problem and continues reading.
class DescriptionReader {
public:
  explicit DescriptionReader(DescriptionBy by) : by_(by) {}

  Result<CommandDescription> read(const Json &json) {
    CommandDescription command = readCommand(json, "", true);
    if (!problem_.empty()) return Failure{Fault::InvalidInput, problem_};
    return command;
  }

private:
  void refuse(const std::string &where, const std::string &why) {
    if (problem_.empty()) problem_ = where.empty() ? why : where + ": " + why;
  }

  static std::string below(const std::string &where, std::string_view key) {
    return where.empty() ? std::string(key) : where + '.' + std::string(key);
  }

  void checkKeys(const Json &json, const std::string &where, std::span<const std::string> known) {
    for (const auto &[key, value] : json.items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        refuse(where, "unknown key \"" + shownLine(key) + '"' + didYouMean(key, known));
  }

  std::string readText(const Json &json, const std::string &where, const char *key) {
    const Json &value = memberOf(json, key);
    if (value.is_null()) return {};
    if (!value.is_string()) {
      refuse(below(where, key), "expected a text");
      return {};
    }
    std::string text = value.get<std::string>();
    if (shownLine(text) != text)
      refuse(below(where, key), "expected one line without control characters");
    return text;
  }

  bool readFlag(const Json &json, const std::string &where, const char *key) {
    const Json &value = memberOf(json, key);
    if (!value.is_null() && !value.is_boolean())
      refuse(below(where, key), "expected true or false");
    return value.is_boolean() && value.get<bool>();
  }

  // Returns the entries of a list; none if the key is missing.
  const Json &readList(const Json &json, const std::string &where, const char *key) {
    static const Json none = Json::array();
    const Json &value = memberOf(json, key);
    if (value.is_array()) return value;
    if (!value.is_null()) refuse(below(where, key), "expected a list");
    return none;
  }

  ArgumentDescription readArgument(const Json &json, const std::string &where, bool isOption) {
    static const std::array<std::string, 6> known{"names", "value",          "help",
                                                  "group", "value_optional", "repeats"};
    ArgumentDescription argument;
    if (!json.is_object()) {
      refuse(where, "expected an object");
      return argument;
    }
    checkKeys(json, where, known);
    for (const Json &name : readList(json, where, "names")) {
      const std::string text = name.is_string() ? name.get<std::string>() : "";
      if (isOption ? !isOptionName(text) : !isPositionalName(text))
        refuse(below(where, "names"),
               isOption ? "expected names such as -f and --file" : "expected a name such as FILE");
      argument.names.push_back(text);
    }
    if (argument.names.empty()) refuse(below(where, "names"), "expected at least one name");
    if (!isOption && argument.names.size() > 1)
      refuse(below(where, "names"), "an argument has one name");
    argument.value = readText(json, where, "value");
    if (!isValueName(argument.value))
      refuse(below(where, "value"), "expected one word such as FILE, or choices such as on|off");
    if (!isOption && argument.value.empty()) argument.value = "TEXT";
    argument.help = readText(json, where, "help");
    argument.group = readText(json, where, "group");
    if (isOption && argument.group.empty()) argument.group = generalOptions;
    argument.valueOptional = readFlag(json, where, "value_optional");
    argument.repeats = readFlag(json, where, "repeats");
    return argument;
  }

  std::vector<ArgumentDescription> readArguments(const Json &json, const std::string &where,
                                                 const char *key, bool isOption) {
    std::vector<ArgumentDescription> arguments;
    std::set<std::string> names;
    for (const Json &one : readList(json, where, key)) {
      const std::string place = below(where, key) + '[' + std::to_string(arguments.size()) + ']';
      arguments.push_back(readArgument(one, place, isOption));
      for (const std::string &name : arguments.back().names)
        if (!names.insert(name).second) refuse(place, name + " is there twice");
    }
    return arguments;
  }

  void readPlace(const Json &json, CommandDescription &command) {
    if (by_ == DescriptionBy::Others)
      for (const char *key : {"program", "group", "server_options"})
        if (!memberOf(json, key).is_null())
          refuse(key, "expected nothing: the key is for files of skillhost");
    command.program = readText(json, "", "program");
    if (!command.program.empty() && !isCommandName(command.program))
      refuse("program", "expected a name of a-z, 0-9 and hyphens");
    command.isGroup = readFlag(json, "", "group");
    const Json &position = memberOf(json, "position");
    if (position.is_number_integer() && position.get<std::int64_t>() >= 0 &&
        position.get<std::int64_t>() <= 10'000)
      command.position = position.get<int>();
    else if (!position.is_null())
      refuse("position", "expected a whole number from 0 to 10000");
    const std::string options = readText(json, "", "server_options");
    const auto *const found = std::find_if(serverOptionWords.begin(), serverOptionWords.end(),
                                           [&](const auto &one) { return options == one.second; });
    if (found != serverOptionWords.end())
      command.serverOptions = found->first;
    else if (!options.empty())
      refuse("server_options", "expected refused, ignored or taken");
  }

  CommandDescription readCommand(const Json &json, const std::string &where, bool isTop) {
    static const std::array<std::string, 10> known{
        "name",    "help",  "inherits_options", "options",       "arguments", "commands",
        "program", "group", "position",         "server_options"};
    CommandDescription command;
    if (!json.is_object()) {
      refuse(where, "expected an object");
      return command;
    }
    checkKeys(json, where, std::span(known).first(isTop ? known.size() : 6));
    command.name = readText(json, where, "name");
    if (!isCommandName(command.name))
      refuse(below(where, "name"), "expected a name of a-z, 0-9 and single hyphens");
    command.help = readText(json, where, "help");
    if (command.help.empty()) refuse(below(where, "help"), "expected what the command does");
    command.inheritsOptions = readFlag(json, where, "inherits_options");
    command.options = readArguments(json, where, "options", true);
    command.positionals = readArguments(json, where, "arguments", false);
    if (isTop) readPlace(json, command);
    std::set<std::string> names;
    for (const Json &one : readList(json, where, "commands")) {
      const std::string place =
          below(where, "commands") + '[' + std::to_string(command.commands.size()) + ']';
      CommandDescription inner = readCommand(one, place, false);
      if (!names.insert(inner.name).second) refuse(place, inner.name + " is there twice");
      command.commands.push_back(std::move(inner));
    }
    if (command.isGroup && !command.commands.empty())
      refuse("group", "expected no \"commands\": each command of a group has a file of its own");
    return command;
  }

  DescriptionBy by_;
  std::string problem_;
};

} // namespace

bool isCommandName(std::string_view word) {
  return !word.empty() && word.size() <= 64 && isLowerOrDigit(word.front()) &&
         isLowerOrDigit(word.back()) && word.find("--") == std::string_view::npos &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return isLowerOrDigit(c) || c == '-'; });
}

std::string descriptionText(const CommandDescription &command) {
  Json json = commandJson(command);
  if (!command.program.empty()) json["program"] = command.program;
  if (command.isGroup) json["group"] = true;
  for (const auto &[options, word] : serverOptionWords)
    if (options == command.serverOptions && options != ServerOptions::Refused)
      json["server_options"] = word;
  json["position"] = command.position;
  return json.dump(2) + '\n';
}

Result<CommandDescription> readDescription(std::string_view text, DescriptionBy by) {
  const Result<Json> json = parseJson(text, descriptionLimits);
  if (!json) return json.failure();
  return DescriptionReader(by).read(*json);
}

} // namespace skillhost::app
