// SPDX-License-Identifier: Apache-2.0
#include "configuration/describe.hpp"

#include "configuration/declared_keys.hpp"
#include "configuration/members.hpp"
#include "configuration/secrets.hpp"
#include "settings/yaml_text.hpp"

#include <sstream>

namespace skillhost::app {
namespace {

std::string_view sectionOf(std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}

std::string_view lastPart(std::string_view key) { return key.substr(key.rfind('.') + 1); }

std::string wordsOf(std::span<const std::string_view> choices) {
  std::string words;
  for (const std::string_view choice : choices)
    words.append(words.empty() ? "" : ", ").append(choice);
  return words;
}

// "a whole number from 1 to 20"
template <class Owner> std::string typeInWords(const Key<Owner> &key) {
  switch (key.shape) {
  case Shape::Flag:
    return "true or false";
  case Shape::WholeNumber:
    return "whole number, " + std::to_string(key.rule.least) + " to " +
           std::to_string(key.rule.most);
  case Shape::Number:
    return "number, " + std::to_string(key.rule.least) + " to " + std::to_string(key.rule.most);
  case Shape::Text:
    return key.rule.meaning == Meaning::Path ? "path" : "text";
  case Shape::Choice:
    return wordsOf(key.choices);
  case Shape::TextList:
    return key.rule.meaning == Meaning::Path   ? "list of paths"
           : key.rule.meaning == Meaning::Glob ? "list of globs"
           : key.rule.meaning == Meaning::Host ? "auto, none, or list of hosts"
           : !key.choices.empty()              ? "list of " + wordsOf(key.choices)
                                               : "list of texts";
  case Shape::NumberMap:
    return "map of names to whole numbers, " + std::to_string(key.rule.least) + " to " +
           std::to_string(key.rule.most);
  case Shape::Object:
    return "map";
  case Shape::Tools:
    return "list of plugins";
  case Shape::Visibility:
  case Shape::Rules:
    return "list of rules";
  case Shape::Sources:
    break;
  }
  return "list of sources";
}

// Comment lines no wider than 100 columns; all but the first begin with `hanging`.
void appendComment(std::string &out, std::string text, std::size_t indent,
                   std::string_view hanging = {}) {
  const std::size_t width = 100 - indent - 2;
  while (!text.empty()) {
    std::size_t cut = text.size();
    if (cut > width) {
      cut = text.rfind(' ', width);
      if (cut == std::string::npos) cut = text.size();
    }
    out.append(indent, ' ').append("# ").append(text, 0, cut) += '\n';
    text.erase(0, cut + 1);
    if (!text.empty()) text.insert(0, hanging);
  }
}

template <class Owner>
void appendEntryExample(std::string &out, std::span<const Key<Owner>> keys,
                        std::string_view example) {
  out += "# An entry has these keys:\n";
  for (const Key<Owner> &key : keys)
    appendComment(out, "  " + std::string(key.name) + ": " + std::string(key.help), 0, "    ");
  out.append("# For instance:\n").append(example);
}

constexpr std::string_view sourceExample = "#   - name: team\n"
                                           "#     plugin: filesystem\n"
                                           "#     config: {directories: [~/team/skills]}\n";
constexpr std::string_view toolsExample = "#   - name: notes\n"
                                          "#     plugin: ~/plugins/notes.so\n"
                                          "#     config: {file: ~/notes.md}\n";
void appendVisibilityExample(std::string &out) {
  out += "  # A rule has these keys:\n";
  for (const VisibilityKey &key : visibilityKeys())
    appendComment(out, "  " + std::string(key.name) + ": " + std::string(key.help), 2, "    ");
  out += "  # For instance:\n"
         "  #   - sources: [hr-*]\n"
         "  #     scopes: [hr]\n";
}

void appendRulesExample(std::string &out, const settings::Declaration &declared) {
  out += "  # A rule has these keys:\n";
  for (const settings::Declaration &part : declared.parts)
    appendComment(out, "  " + part.key + ": " + part.description, 2, "    ");
  std::string example;
  appendYaml(example, "rules", Json::array({declared.examples.back()}), 0);
  std::istringstream lines(example.substr(example.find('\n') + 1));
  out += "  # For instance:\n";
  for (std::string line; std::getline(lines, line);) out.append("  # ").append(line) += '\n';
}

// One cell of the Markdown table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

template <class Owner>
void appendRow(std::string &out, const std::string &name, const Key<Owner> &key, const Json &value,
               const std::string &elsewhere) {
  out += "| `" + name + "` | " + cell(typeInWords(key)) + " | " +
         (value.is_null() ? "" : "`" + cell(yamlInline(value)) + "`") + " | " + elsewhere + " | " +
         cell(std::string(key.help)) + " |\n";
}

// The keys of one entry of a list.
template <class Owner>
void appendEntryRows(std::string &out, std::string_view list, std::span<const Key<Owner>> keys) {
  for (const Key<Owner> &part : keys) {
    const bool required = part.rule.meaning == Meaning::SourceName;
    const Json value = required ? Json() : part.written(Owner{});
    appendRow(out, std::string(list) + "[]." + std::string(part.name), part,
              value == Json("") ? Json() : value, "");
  }
}

} // namespace

std::string exampleConfiguration() {
  std::string out = "# Every setting of skillhost at its default. Keep what you change, drop the "
                    "rest: an absent key,\n# or null, is the default. Each key may also be given "
                    "as an environment variable (named below) or\n# with --set KEY=VALUE; command "
                    "line over environment over file. Relative paths begin at this\n# file's "
                    "folder; ~ is the home folder.\n";
  const Configuration defaults;
  std::string_view open;
  for (const HostKey &key : hostKeys()) {
    const std::string_view section = sectionOf(key.name);
    out += '\n';
    if (section != open) {
      for (const Section &one : sections())
        if (one.name == section) appendComment(out, std::string(one.help), 0);
      if (!section.empty()) out.append(section) += ":\n";
      open = section;
    }
    const std::size_t indent = section.empty() ? 0 : 2;
    appendComment(out, std::string(key.help), indent);
    appendComment(out,
                  "(" + typeInWords(key) + "; " + variableName(key.name) +
                      (key.option.empty() ? "" : "; " + std::string(key.option)) + ")",
                  indent);
    if (key.shape == Shape::Sources) appendEntryExample(out, sourceKeys(), sourceExample);
    if (key.shape == Shape::Tools) appendEntryExample(out, toolsKeys(), toolsExample);
    if (key.shape == Shape::Visibility) appendVisibilityExample(out);
    if (key.shape == Shape::Rules) appendRulesExample(out, *key.declared);
    appendYaml(out, std::string(lastPart(key.name)), key.written(defaults), indent);
  }
  return out;
}

std::string exampleConfigurationAsJson() {
  return writeMembers(hostKeys(), Configuration{}).dump(2) + '\n';
}

std::string configurationTable() {
  std::string out = "| Key | Type | Default | Elsewhere | Meaning |\n|---|---|---|---|---|\n";
  const Configuration defaults;
  for (const HostKey &key : hostKeys()) {
    const std::string elsewhere =
        (key.option.empty() ? "" : "`" + std::string(key.option) + "`, ") + "`" +
        variableName(key.name) + "`";
    appendRow(out, std::string(key.name), key, key.written(defaults), elsewhere);
    if (key.shape == Shape::Sources) appendEntryRows(out, key.name, sourceKeys());
    if (key.shape == Shape::Tools) appendEntryRows(out, key.name, toolsKeys());
    if (key.shape == Shape::Visibility)
      for (const VisibilityKey &part : visibilityKeys())
        appendRow(out, std::string(key.name) + "[]." + std::string(part.name), part,
                  part.written(VisibilityConfiguration{}), "");
    if (key.shape == Shape::Rules)
      for (const PartKey &part : partKeys(*key.declared))
        appendRow(out, std::string(key.name) + "[]." + std::string(part.name), part,
                  part.declared->standard, "");
  }
  return out;
}

std::string printedConfiguration(const Configuration &configuration, const std::string &file) {
  Json effective = writeMembers(hostKeys(), configuration);
  for (const char *list : {"sources", "tools"})
    for (Json &entry : effective[list]) entry = masked(entry, configuration.secrets);
  effective["search"]["config"] = masked(effective["search"]["config"], configuration.secrets);
  for (const HostKey &key : hostKeys()) {
    if (key.rule.meaning != Meaning::Secret) continue;
    Json &section = effective[std::string(sectionOf(key.name))];
    section = masked(section, configuration.secrets);
  }
  std::string out = file.empty() ? "# No configuration file was read.\n"
                                 : "# With the configuration file " + file + "\n";
  for (const auto &item : effective.items()) appendYaml(out, item.key(), item.value(), 0);
  return out;
}

} // namespace skillhost::app
