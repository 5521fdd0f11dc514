// SPDX-License-Identifier: Apache-2.0
// The table of keys as JSON Schema, for editors that check and complete the file.
#include "configuration/declared_keys.hpp"
#include "configuration/describe.hpp"
#include "configuration/members.hpp"

#include <algorithm>
#include <initializer_list>

namespace skillhost::app {
namespace {

Json closedObject() {
  return {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
}

// null is the default everywhere.
Json orNull(std::string_view type) { return Json::array({type, "null"}); }

Json textRule(const Rule &rule) {
  Json out = {{"type", "string"}};
  if (rule.least > 0) out["minLength"] = rule.least;
  if (rule.most != UINT64_MAX) out["maxLength"] = rule.most;
  if (rule.meaning == Meaning::SourceName) out["pattern"] = "^[a-z0-9][a-z0-9._-]*$";
  if (rule.meaning == Meaning::Prefix) out["pattern"] = "^[a-zA-Z0-9._-]*$";
  return out;
}

template <class Owner>
Json entrySchema(std::span<const Key<Owner>> keys, std::initializer_list<const char *> required);
Json visibilitySchema();
Json ruleSchema(const settings::Declaration &declared);

template <class Owner> Json schemaOf(const Key<Owner> &key) {
  Json out = Json::object();
  switch (key.shape) {
  case Shape::Flag:
    out["type"] = orNull("boolean");
    break;
  case Shape::WholeNumber:
    out = {{"type", orNull("integer")}, {"minimum", key.rule.least}, {"maximum", key.rule.most}};
    break;
  case Shape::Number:
    out = {{"type", orNull("number")}, {"minimum", key.rule.least}, {"maximum", key.rule.most}};
    break;
  case Shape::Text:
    out = textRule(key.rule);
    out["type"] = orNull("string");
    break;
  case Shape::Choice:
    out["enum"] = Json::array();
    for (const std::string_view choice : key.choices) out["enum"].push_back(choice);
    out["enum"].push_back(nullptr);
    break;
  case Shape::TextList:
    if (!key.choices.empty()) {
      Json words = {{"enum", Json::array()}};
      for (const std::string_view choice : key.choices) words["enum"].push_back(choice);
      out["anyOf"] =
          Json::array({words, {{"type", "array"}, {"items", words}}, {{"type", "null"}}});
      break;
    }
    out["anyOf"] = Json::array({textRule(key.rule),
                                {{"type", "array"}, {"items", textRule(key.rule)}},
                                {{"type", "null"}}});
    break;
  case Shape::NumberMap:
    out = {{"type", orNull("object")},
           {"additionalProperties",
            {{"type", "integer"}, {"minimum", key.rule.least}, {"maximum", key.rule.most}}}};
    break;
  case Shape::Object:
    out["type"] = orNull("object");
    break;
  case Shape::Sources:
    out = {{"type", orNull("array")}, {"items", entrySchema(sourceKeys(), {"name"})}};
    break;
  case Shape::Tools:
    out = {{"type", orNull("array")}, {"items", entrySchema(toolsKeys(), {"name", "plugin"})}};
    break;
  case Shape::Rules:
    out = {{"type", orNull("array")}, {"items", ruleSchema(*key.declared)}};
    break;
  case Shape::Visibility:
    out = {{"type", orNull("array")}, {"items", visibilitySchema()}};
    break;
  }
  out["description"] = key.help;
  return out;
}

template <class Owner>
Json entrySchema(std::span<const Key<Owner>> keys, std::initializer_list<const char *> required) {
  Json out = closedObject();
  out["required"] = Json::array();
  for (const char *name : required) out["required"].push_back(name);
  for (const Key<Owner> &key : keys) {
    Json &property = out["properties"][std::string(key.name)] = schemaOf(key);
    const bool isRequired = std::any_of(required.begin(), required.end(),
                                        [&](const char *name) { return key.name == name; });
    if (isRequired)
      property["type"] = "string";
    else
      property["default"] = key.written(Owner{});
  }
  return out;
}

Json visibilitySchema() {
  Json out = closedObject();
  for (const VisibilityKey &key : visibilityKeys()) {
    Json &property = out["properties"][std::string(key.name)] = schemaOf(key);
    property["default"] = key.written(VisibilityConfiguration{});
  }
  return out;
}

Json ruleSchema(const settings::Declaration &declared) {
  Json out = closedObject();
  out["required"] = Json::array();
  for (const PartKey &key : partKeys(declared)) {
    Json &property = out["properties"][std::string(key.name)] = schemaOf(key);
    if (!key.declared->isRequired) {
      property["default"] = key.declared->standard;
      continue;
    }
    out["required"].push_back(key.name);
    property["enum"].erase(property["enum"].size() - 1); // no null: it has to be said
  }
  return out;
}

} // namespace

std::string configurationSchema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Configuration of skillhost"}};
  schema.update(closedObject());
  Json &properties = schema["properties"];
  const Configuration defaults;
  for (const HostKey &key : hostKeys()) {
    Json property = schemaOf(key);
    property["default"] = key.written(defaults);
    const std::string name(key.name);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos)
      properties[name] = std::move(property);
    else
      properties[name.substr(0, dot)]["properties"][name.substr(dot + 1)] = std::move(property);
  }
  for (const Section &section : sections()) {
    Json &object = properties[std::string(section.name)];
    object["type"] = orNull("object");
    object["description"] = section.help;
    object["additionalProperties"] = false;
  }
  return schema.dump(2) + '\n';
}

} // namespace skillhost::app
