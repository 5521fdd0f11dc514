// SPDX-License-Identifier: Apache-2.0
#include "settings/yaml_text.hpp"

#include "ground/json_text.hpp"
#include "settings/written.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace skillhost::settings {
namespace {

// Returns true if an unquoted `text` reads back as the same text, even inside a flow list.
bool isPlain(const std::string &text) {
  const auto safe = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '/' || c == '-' || c == '+' ||
           c == '~';
  };
  return !text.empty() && text.front() != '-' && text.front() != '.' &&
         std::all_of(text.begin(), text.end(), safe) &&
         plainScalar(text).kind == Written::Kind::Text;
}

std::string yamlText(const std::string &text) {
  if (isPlain(text)) return text;
  std::string out;
  appendJsonString(out, text);
  return out;
}

bool holdsObjects(const Json &value) {
  return value.is_array() && std::any_of(value.begin(), value.end(), [](const Json &item) {
           return item.is_object() && !item.empty();
         });
}

} // namespace

std::string yamlInline(const Json &value) {
  if (value.is_string()) return yamlText(value.get<std::string>());
  if (!value.is_structured()) return value.dump();
  std::string out(1, value.is_array() ? '[' : '{');
  for (const auto &item : value.items()) {
    if (out.size() > 1) out += ", ";
    if (value.is_object()) out += yamlText(item.key()) + ": ";
    out += yamlInline(item.value());
  }
  return out += value.is_array() ? ']' : '}';
}

void appendYaml(std::string &out, const std::string &key, const Json &value, std::size_t indent) {
  out.append(indent, ' ').append(yamlText(key)) += ':';
  if (value.is_object() && !value.empty()) {
    out += '\n';
    for (const auto &item : value.items()) appendYaml(out, item.key(), item.value(), indent + 2);
  } else if (holdsObjects(value)) {
    out += '\n';
    for (const Json &entry : value) {
      const std::size_t start = out.size();
      if (entry.is_object() && !entry.empty())
        for (const auto &item : entry.items())
          appendYaml(out, item.key(), item.value(), indent + 4);
      else
        out.append(indent + 4, ' ').append(yamlInline(entry)) += '\n';
      out[start + indent + 2] = '-';
    }
  } else {
    out.append(" ").append(yamlInline(value)) += '\n';
  }
}

} // namespace skillhost::settings
