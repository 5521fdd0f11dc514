// SPDX-License-Identifier: Apache-2.0
#include "skillmd/field_reader.hpp"

#include "ground/text.hpp"

#include <string>
#include <utility>

namespace skillhost {
namespace {

class FieldReader {
public:
  FieldReader(const FrontMatter &frontMatter, std::string_view file, std::vector<Finding> &findings)
      : frontMatter_(frontMatter), file_(file), findings_(findings) {}

  // Returns the scalar under `key`, or else the one under metadata.
  std::string text(std::string_view key, bool alsoInMetadata) {
    if (present(key)) {
      if (std::optional<std::string> value = frontMatter_.text(key)) return *std::move(value);
      if (!frontMatter_.fields.find(key)->is_null()) wrongType(key, "text");
    }
    if (!alsoInMetadata) return {};
    return frontMatter_.text("metadata/" + std::string(key)).value_or(std::string{});
  }
  bool boolean(std::string_view key, bool fallback = false) {
    std::string value = text(key, true);
    if (value.empty()) return fallback;
    // YAML 1.1 also has yes, no, on and off, and authors write them.
    for (char &c : value) c = asciiLowered(c);
    if (value == "false" || value == "no" || value == "off") return false;
    if (value == "true" || value == "yes" || value == "on") return true;
    wrongType(key, "true or false");
    return fallback;
  }
  // Returns a list of scalars, or one string cut at any of `separators`.
  std::vector<std::string> list(std::string_view key, std::string_view separators,
                                bool alsoInMetadata) {
    const Json *value = find(frontMatter_.fields, key);
    if (alsoInMetadata && (value == nullptr || value->is_null()))
      if (const Json *metadata = find(frontMatter_.fields, "metadata"); metadata != nullptr)
        value = find(*metadata, key);
    std::vector<std::string> items;
    if (value == nullptr || value->is_null()) return items;
    if (value->is_array()) {
      for (const Json &item : *value) {
        if (item.is_string()) {
          addTrimmed(items, item.get_ref<const std::string &>());
        } else if (item.is_number() || item.is_boolean()) {
          items.push_back(item.dump());
        } else {
          wrongType(key, "a list of texts");
        }
      }
    } else if (value->is_string()) {
      cut(items, value->get_ref<const std::string &>(), separators);
    } else {
      wrongType(key, "a list of texts");
    }
    return items;
  }

private:
  static const Json *find(const Json &map, std::string_view key) {
    if (!map.is_object()) return nullptr;
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &*found;
  }
  bool present(std::string_view key) const { return find(frontMatter_.fields, key) != nullptr; }
  static void addTrimmed(std::vector<std::string> &items, std::string_view text) {
    if (const std::string_view item = trimmedAsciiSpace(text); !item.empty())
      items.emplace_back(item);
  }
  // Cuts outside parentheses only: `Bash(git add:*)` is one item.
  static void cut(std::vector<std::string> &items, std::string_view text,
                  std::string_view separators) {
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '(') ++depth;
      if (text[at] == ')' && depth > 0) --depth;
      if (depth != 0 || separators.find(text[at]) == std::string_view::npos) continue;
      addTrimmed(items, text.substr(start, at - start));
      start = at + 1;
    }
    addTrimmed(items, text.substr(start));
  }

public:
  // Returns true if the field, or the one in `metadata`, exists and is neither text nor null.
  bool writtenAsOther(std::string_view key) const {
    const Json *const metadata = find(frontMatter_.fields, "metadata");
    for (const Json *const value :
         {find(frontMatter_.fields, key), metadata ? find(*metadata, key) : nullptr})
      if (value != nullptr && !value->is_null() && !value->is_string()) return true;
    return metadata != nullptr && !metadata->is_null() && !metadata->is_object();
  }

private:
  void wrongType(std::string_view key, std::string_view expected) {
    const bool own = present(key);
    findings_.push_back(findingAt(frontMatter_, file_, own ? key : "metadata", Severity::Warning,
                                  "field-type",
                                  "`" + std::string(own ? "" : "metadata.") + std::string(key) +
                                      "` is not " + std::string(expected) + ": ignored",
                                  "write " + std::string(expected)));
  }

  const FrontMatter &frontMatter_;
  std::string_view file_;
  std::vector<Finding> &findings_;
};

} // namespace

void readFields(const FrontMatter &frontMatter, std::string_view file, SkillFields &fields,
                std::vector<Finding> &findings) {
  FieldReader reader(frontMatter, file, findings);
  fields.title = reader.text("title", true);
  fields.category = reader.text("category", true);
  // A list or a map is ignored as a category, although its author meant one.
  fields.isCategoryUnsure = frontMatter.isCategoryUnsure ||
                            (fields.category.empty() && reader.writtenAsOther("category"));
  fields.version = reader.text("version", true);
  fields.license = reader.text("license", false);
  fields.compatibility = reader.text("compatibility", false);
  fields.keywords = reader.list("keywords", ",\n", true);
  fields.allowedTools = reader.list("allowed-tools", ", \n\t", false);
  fields.autoActivate = reader.boolean("auto_activate");
  fields.hiddenFromModels = reader.boolean("disable-model-invocation");
  fields.hiddenFromUsers = !reader.boolean("user-invocable", true);
  appendJson(fields.frontMatter, frontMatter.fields);
}

Finding findingAt(const FrontMatter &frontMatter, std::string_view file, std::string_view key,
                  Severity severity, std::string_view code, std::string message,
                  std::string advice) {
  Place place = frontMatter.placeOf(key);
  if (place.line == 0) place = {1, 1};
  return {severity,     std::string(code),  std::string(file), place.line,
          place.column, std::move(message), std::move(advice)};
}

} // namespace skillhost
