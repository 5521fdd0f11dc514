// SPDX-License-Identifier: Apache-2.0
#include "settings/table.hpp"

#include "settings/yaml_text.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace skillhost::settings {
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

// Returns a type in words, such as "a whole number from 1 to 20".
std::string typeInWords(const Row &row) {
  const std::string range = std::to_string(row.minimum) + " to " + std::to_string(row.maximum);
  switch (row.shape) {
  case Shape::Flag:
    return "true or false";
  case Shape::WholeNumber:
    return "whole number, " + range;
  case Shape::Number:
    return "number, " + range;
  case Shape::Text:
    return row.meaning == Meaning::Path ? "path" : "text";
  case Shape::Choice:
    return wordsOf(row.choices);
  case Shape::TextList:
    return row.meaning == Meaning::Path   ? "list of paths"
           : row.meaning == Meaning::Glob ? "list of globs"
           : row.meaning == Meaning::Host ? "auto, none, or list of hosts"
           : !row.choices.empty()         ? "list of " + wordsOf(row.choices)
                                          : "list of texts";
  case Shape::NumberMap:
    return "map of names to whole numbers, " + range;
  case Shape::Object:
    return "map";
  case Shape::Entries:
    break;
  }
  return "list of " + std::string(row.entries);
}

// Appends comment lines no wider than 100 columns; all but the first begin with `hanging`.
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

void appendEntryExample(std::string &out, const Row &row, std::size_t indent) {
  appendComment(out, std::string(row.entry) + " has these keys:", indent);
  for (const Row &part : row.parts)
    appendComment(out, "  " + std::string(part.name) + ": " + std::string(part.help), indent,
                  "    ");
  appendComment(out, "For instance:", indent);
  std::istringstream lines(row.example);
  for (std::string line; std::getline(lines, line);)
    out.append(indent, ' ').append("#   ").append(line) += '\n';
}

// Returns the text as a cell of the Markdown table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

void appendRow(std::string &out, const std::string &name, const Row &row,
               const std::string &elsewhere) {
  out += "| `" + name + "` | " + cell(typeInWords(row)) + " | " +
         (row.standard.is_null() ? "" : "`" + cell(yamlInline(row.standard)) + "`") + " | " +
         elsewhere + " | " + cell(std::string(row.help)) + " |\n";
}

Json closedObject() {
  return {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
}

// An entry may have a list of entries itself.
void appendParts(std::string &out, const std::string &list, const Row &row) {
  for (const Row &part : row.parts) {
    const std::string name = list + "[]." + std::string(part.name);
    appendRow(out, name, part, "");
    appendParts(out, name, part);
  }
}

// Every key also accepts null, which stands for the default.
Json orNull(std::string_view type) { return Json::array({type, "null"}); }

Json textRule(const Row &row) {
  Json out = {{"type", "string"}};
  if (row.minimum > 0) out["minLength"] = row.minimum;
  if (row.maximum != UINT64_MAX) out["maxLength"] = row.maximum;
  if (row.meaning == Meaning::SourceName) out["pattern"] = "^[a-z0-9][a-z0-9._-]*$";
  if (row.meaning == Meaning::Prefix) out["pattern"] = "^[a-zA-Z0-9._-]*$";
  return out;
}

Json wordList(std::span<const std::string_view> choices) {
  Json words = Json::array();
  for (const std::string_view choice : choices) words.push_back(choice);
  return words;
}

Json entrySchema(const Row &list);

Json schemaOf(const Row &row) {
  Json out = Json::object();
  switch (row.shape) {
  case Shape::Flag:
    out["type"] = orNull("boolean");
    break;
  case Shape::WholeNumber:
    out = {{"type", orNull("integer")}, {"minimum", row.minimum}, {"maximum", row.maximum}};
    break;
  case Shape::Number:
    out = {{"type", orNull("number")}, {"minimum", row.minimum}, {"maximum", row.maximum}};
    break;
  case Shape::Text:
    out = textRule(row);
    out["type"] = row.isRequired ? Json("string") : orNull("string");
    break;
  case Shape::Choice:
    out["enum"] = wordList(row.choices);
    if (!row.isRequired) out["enum"].push_back(nullptr);
    break;
  case Shape::TextList: {
    const Json text = row.choices.empty() ? textRule(row) : Json{{"enum", wordList(row.choices)}};
    out["anyOf"] = Json::array({text, {{"type", "array"}, {"items", text}}, {{"type", "null"}}});
    break;
  }
  case Shape::NumberMap:
    out = {{"type", orNull("object")},
           {"additionalProperties",
            {{"type", "integer"}, {"minimum", row.minimum}, {"maximum", row.maximum}}}};
    break;
  case Shape::Object:
    out["type"] = orNull("object");
    break;
  case Shape::Entries:
    out = {{"type", orNull("array")}, {"items", entrySchema(row)}};
    break;
  }
  out["description"] = row.help;
  return out;
}

Json entrySchema(const Row &list) {
  Json out = closedObject();
  Json required = Json::array();
  for (const Row &part : list.parts)
    if (part.isRequired) required.push_back(part.name);
  if (!required.empty()) out["required"] = std::move(required);
  for (const Row &part : list.parts) {
    Json &property = out["properties"][std::string(part.name)] = schemaOf(part);
    if (!part.isRequired) property["default"] = part.standard;
  }
  return out;
}

} // namespace

std::string inWords(std::span<const std::string_view> choices) {
  std::string list;
  for (std::size_t i = 0; i < choices.size(); ++i)
    list.append(i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ").append(choices[i]);
  return list;
}

std::string exampleYaml(std::span<const Row> rows, std::span<const Heading> headings,
                        std::string_view introduction) {
  std::string out(introduction);
  std::string_view open;
  for (const Row &row : rows) {
    const std::string_view section = sectionOf(row.name);
    out += '\n';
    if (section != open) {
      for (const Heading &one : headings)
        if (one.name == section) appendComment(out, std::string(one.help), 0);
      if (!section.empty()) out.append(section) += ":\n";
      open = section;
    }
    const std::size_t indent = section.empty() ? 0 : 2;
    appendComment(out, std::string(row.help), indent);
    appendComment(out,
                  "(" + typeInWords(row) + "; " + row.variable +
                      (row.option.empty() ? "" : "; " + std::string(row.option)) + ")",
                  indent);
    if (row.shape == Shape::Entries) appendEntryExample(out, row, indent);
    appendYaml(out, std::string(lastPart(row.name)), row.standard, indent);
  }
  return out;
}

std::string markdownTable(std::span<const Row> rows) {
  std::string out = "| Key | Type | Default | Elsewhere | Meaning |\n|---|---|---|---|---|\n";
  for (const Row &row : rows) {
    const std::string name(row.name);
    appendRow(out, name, row,
              (row.option.empty() ? "" : "`" + std::string(row.option) + "`, ") + "`" +
                  row.variable + "`");
    appendParts(out, name, row);
  }
  return out;
}

std::string jsonSchema(std::span<const Row> rows, std::span<const Heading> headings,
                       std::string_view title) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  schema.update(closedObject());
  Json &properties = schema["properties"];
  for (const Row &row : rows) {
    Json property = schemaOf(row);
    property["default"] = row.standard;
    const std::string section(sectionOf(row.name)), name(lastPart(row.name));
    (section.empty() ? properties : properties[section]["properties"])[name] = std::move(property);
  }
  for (const Heading &section : headings) {
    Json &object = properties[std::string(section.name)];
    object["type"] = orNull("object");
    object["description"] = section.help;
    object["additionalProperties"] = false;
  }
  return schema.dump(2) + '\n';
}

} // namespace skillhost::settings
