// SPDX-License-Identifier: Apache-2.0
#include "rpc/mirrored_arguments.hpp"

#include "ground/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace skillhost {
namespace {

constexpr const char *annotation = "x-mcp-header";

bool isFieldName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 ||
                        std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) !=
                            std::string_view::npos);
  });
}

// True for the schema of a string, a number or a boolean, with or without null. The revision wants
// integers instead of numbers, but clients take both.
bool isMirrorable(const Json &schema) {
  const auto type = schema.find("type");
  if (type == schema.end()) return false;
  const auto fits = [](const Json &one) {
    return one == "string" || one == "integer" || one == "number" || one == "boolean";
  };
  if (!type->is_array()) return fits(*type);
  return !type->empty() && std::all_of(type->begin(), type->end(),
                                       [&](const Json &one) { return fits(one) || one == "null"; });
}

class MirrorReader {
public:
  // `reached` is true if only a chain of "properties" leads to `node`.
  void schema(const Json &node, bool reached) {
    if (node.is_array())
      for (const Json &one : node) schema(one, false);
    if (!node.is_object()) return;
    if (const auto name = node.find(annotation); name != node.end()) take(node, *name, reached);
    for (const auto &[keyword, value] : node.items()) {
      const bool isData =
          keyword == "default" || keyword == "examples" || keyword == "enum" || keyword == "const";
      if (isData || keyword == annotation) continue;
      const bool ofSchemas = keyword == "properties" || keyword == "patternProperties" ||
                             keyword == "$defs" || keyword == "definitions" ||
                             keyword == "dependentSchemas";
      if (ofSchemas && value.is_object())
        named(value, reached && keyword == "properties");
      else
        schema(value, false);
    }
  }
  std::vector<MirroredArgument> found;
  std::string fault; // the first one; empty: none

private:
  // Reads a map of schemas, whose names are no keywords.
  void named(const Json &all, bool reached) {
    for (const auto &[name, value] : all.items()) {
      path_.push_back(name);
      schema(value, reached);
      path_.pop_back();
    }
  }

  void take(const Json &node, const Json &name, bool reached) {
    const auto wrong = [&](const char *why) {
      if (!fault.empty()) return;
      fault = "inputSchema";
      for (const std::string &one : path_) (fault += '.') += one;
      (fault += ": x-mcp-header ") += why;
    };
    if (!name.is_string() || !isFieldName(name.get_ref<const std::string &>()))
      return wrong("must be the name of a header field, such as Region");
    if (!reached || path_.empty()) return wrong("stands where more than properties leads to");
    if (!isMirrorable(node)) return wrong("is for a string, an integer or a boolean, by its type");
    if (!names_.insert(asciiLowered(name.get_ref<const std::string &>())).second)
      return wrong("names a field that another argument has");
    found.push_back({"Mcp-Param-" + name.get<std::string>(), path_});
  }

  std::vector<std::string> path_;
  std::set<std::string> names_; // in lower case
};

} // namespace

Result<std::vector<MirroredArgument>> mirroredArguments(const Json &inputSchema) {
  MirrorReader reader;
  reader.schema(inputSchema, true);
  if (!reader.fault.empty()) return {Fault::InvalidFormat, reader.fault};
  return std::move(reader.found);
}

} // namespace skillhost
