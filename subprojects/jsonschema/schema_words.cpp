// SPDX-License-Identifier: Apache-2.0
#include "schema_words.hpp"

#include "base/secret_names.hpp"
#include "ground/sorted_json.hpp"
#include "ground/utf8.hpp"
#include "pattern.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace skillhost {
namespace {

using nlohmann::json;

constexpr std::size_t maxSchemaDepth = 64; // $ref may go in circles

std::string describeValue(const json &value) {
  switch (value.type()) {
  case json::value_t::null:
    return "nothing";
  case json::value_t::boolean:
    return value.get<bool>() ? "true" : "false";
  case json::value_t::string: {
    const auto &text = value.get_ref<const std::string &>();
    return '"' + mendUtf8(cutUtf8(text, 60)) + (text.size() > 60 ? "...\"" : "\"");
  }
  case json::value_t::array:
    return "a list";
  case json::value_t::object:
    return "a map of keys";
  default:
    return "the number " + value.dump();
  }
}

// Describes the value at `path`. If the setting's name is that of a secret, tells only its type.
std::string describeValue(const json &value, const std::string &path) {
  // The whole path if it has no dot.
  const std::string_view name = std::string_view(path).substr(path.rfind('.') + 1);
  if (!isSecretSettingName(name.substr(0, name.find('[')))) return describeValue(value);
  return value.is_number() ? "a number" : value.is_string() ? "a text" : describeValue(value);
}

// Returns the text of a limit without a needless ".0".
std::string limitText(const json &limit) {
  if (limit.is_number_float() && limit.get<double>() == static_cast<double>(limit.get<long long>()))
    return std::to_string(limit.get<long long>());
  return limit.dump();
}

std::string counted(const json &limit, const char *one, const char *many) {
  return limitText(limit) + ' ' + (limit == 1 ? one : many);
}

std::string typeName(const json &type) {
  if (type == "integer") return "a whole number";
  if (type == "number") return "a number";
  if (type == "string") return "a text";
  if (type == "boolean") return "true or false";
  if (type == "array") return "a list";
  if (type == "object") return "a map of keys";
  return "nothing";
}

bool hasJsonType(const json &value, const json &type) {
  if (type == "integer")
    return value.is_number_integer() ||
           (value.is_number_float() && value.get<double>() == std::floor(value.get<double>()));
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return value.is_null();
}

// Returns "a, b or c".
std::string joinedWithOr(const std::vector<std::string> &words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

class Explainer {
public:
  explicit Explainer(const json &schema) : schema_(schema) {}

  // Adds the problems of `value`. `help` is the description of the property that contains it, for
  // the end of messages.
  void check(const json &schemaNode, const json &value, const std::string &path, std::string help,
             std::size_t depth = 0) {
    const json &rules = *resolved(schemaNode);
    if (!rules.is_object() || depth > maxSchemaDepth) return;
    if (const auto description = rules.find("description");
        description != rules.end() && description->is_string())
      help = description->get<std::string>();
    if (!checkType(rules, value, path)) return;
    if (!checkEnum(rules, value, path)) return;
    if (value.is_number()) return checkRange(rules, value, path);
    if (value.is_string()) return checkString(rules, value, path, help);
    if (value.is_array()) return checkItems(rules, value, path, help, depth);
    if (value.is_object()) return checkMembers(rules, value, path, help, depth);
  }

  SettingProblems problems;

private:
  // Returns the rules that a reference names, or else `rules` itself.
  const json *resolved(const json &rules) const {
    const auto reference = rules.is_object() ? rules.find("$ref") : rules.end();
    if (reference == rules.end() || !reference->is_string()) return &rules;
    const auto &target = reference->get_ref<const std::string &>();
    if (target.empty() || target.front() != '#') return &rules;
    const json::json_pointer pointer(target.substr(1));
    return schema_.contains(pointer) ? &schema_.at(pointer) : &rules;
  }

  void addProblem(const std::string &path, std::string why) {
    problems.push_back({path, std::move(why)});
  }

  // Returns the first sentence of a property's description, in brackets.
  static std::string hintFrom(const std::string &help) {
    const std::size_t end = std::min(help.find(". "), help.size());
    std::string sentence = mendUtf8(cutUtf8(help.substr(0, end), 200));
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence.empty() ? sentence : " (" + sentence + ')';
  }

  // Returns false if it has added a problem, and so does checkEnum().
  bool checkType(const json &rules, const json &value, const std::string &path) {
    const auto type = rules.find("type");
    if (type == rules.end()) return true;
    std::vector<std::string> words;
    for (const json &one : type->is_array() ? *type : json::array({*type})) {
      if (hasJsonType(value, one)) return true;
      words.push_back(typeName(one));
    }
    std::string why =
        "expected " + joinedWithOr(words) + range(rules) + ", found " + describeValue(value, path);
    if (*type == "array" && !value.is_object()) why += ": put it in brackets";
    if (*type == "string" && value.is_primitive() && !value.is_null()) why += ": put it in quotes";
    addProblem(path, std::move(why));
    return false;
  }

  bool checkEnum(const json &rules, const json &value, const std::string &path) {
    if (const auto only = rules.find("const"); only != rules.end() && *only != value) {
      addProblem(path,
                 "expected " + describeValue(*only) + ", found " + describeValue(value, path));
      return false;
    }
    const auto choices = rules.find("enum");
    if (choices == rules.end() || !choices->is_array() ||
        std::find(choices->begin(), choices->end(), value) != choices->end())
      return true;
    std::vector<std::string> words;
    SettingProblem problem{path, {}};
    for (const json &choice : *choices) {
      words.push_back(choice.is_string() ? choice.get<std::string>() : choice.dump());
      if (choice.is_string()) problem.known.push_back(choice.get<std::string>());
    }
    problem.why = "expected " + joinedWithOr(words) + ", found " + describeValue(value, path);
    if (value.is_string()) problem.word = value.get<std::string>();
    problems.push_back(std::move(problem));
    return false;
  }

  static std::string range(const json &rules) {
    const auto minimum = rules.find("minimum"), maximum = rules.find("maximum");
    if (minimum != rules.end() && maximum != rules.end())
      return " from " + limitText(*minimum) + " to " + limitText(*maximum);
    if (minimum != rules.end()) return " of at least " + limitText(*minimum);
    return maximum != rules.end() ? " of at most " + limitText(*maximum) : std::string{};
  }

  void checkRange(const json &rules, const json &value, const std::string &path) {
    const auto limit = [&](const char *name) {
      const auto one = rules.find(name);
      return one != rules.end() && one->is_number() ? &*one : nullptr;
    };
    const json *const minimum = limit("minimum"), *const maximum = limit("maximum");
    if ((minimum != nullptr && value < *minimum) || (maximum != nullptr && value > *maximum))
      return addProblem(path, "expected a number" + range(rules) + ", found " +
                                  describeValue(value, path));
    const json *const above = limit("exclusiveMinimum"), *const below = limit("exclusiveMaximum");
    if (above != nullptr && value <= *above)
      addProblem(path, "expected a number above " + limitText(*above) + ", found " +
                           describeValue(value, path));
    else if (below != nullptr && value >= *below)
      addProblem(path, "expected a number below " + limitText(*below) + ", found " +
                           describeValue(value, path));
  }

  void checkString(const json &rules, const json &value, const std::string &path,
                   const std::string &help) {
    const auto &text = value.get_ref<const std::string &>();
    const std::size_t size = countCharacters(text);
    if (const auto minimum = rules.find("minLength"); minimum != rules.end() && size < *minimum)
      return addProblem(path, (text.empty() ? "must not be empty"
                                            : describeValue(value, path) + " is shorter than " +
                                                  counted(*minimum, "character", "characters")) +
                                  hintFrom(help));
    if (const auto maximum = rules.find("maxLength"); maximum != rules.end() && size > *maximum)
      return addProblem(path, describeValue(value, path) + " is longer than " +
                                  counted(*maximum, "character", "characters"));
    const auto pattern = rules.find("pattern");
    if (pattern == rules.end()) return;
    try {
      if (Pattern(pattern->get<std::string>()).isIn(text)) return;
    } catch (const TextTooLong &why) {
      return addProblem(path, why.what());
    }
    const std::string hint = hintFrom(help);
    addProblem(path,
               describeValue(value, path) + " is not written as it must be" +
                   (hint.empty() ? ": it has to match " + pattern->get<std::string>() : hint));
  }

  void checkItems(const json &rules, const json &value, const std::string &path,
                  const std::string &help, std::size_t depth) {
    if (const auto minimum = rules.find("minItems");
        minimum != rules.end() && value.size() < *minimum)
      addProblem(path, "needs at least " + counted(*minimum, "entry", "entries") + ", found " +
                           (value.empty() ? "an empty list" : std::to_string(value.size())) +
                           hintFrom(help));
    if (const auto maximum = rules.find("maxItems");
        maximum != rules.end() && value.size() > *maximum)
      addProblem(path, "has " + counted(value.size(), "entry", "entries") + ", and may have " +
                           limitText(*maximum) + " at most");
    const auto unique = rules.find("uniqueItems");
    std::set<json> seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string memberPath = path + '[' + std::to_string(i) + ']';
      if (!seen.insert(value[i]).second && unique != rules.end() && *unique == true)
        addProblem(memberPath,
                   describeValue(value[i], memberPath) + " is a duplicate: keep one of them");
      if (const auto one = rules.find("items"); one != rules.end() && one->is_object())
        check(*one, value[i], memberPath, help, depth + 1);
    }
  }

  void checkMembers(const json &rules, const json &value, const std::string &path,
                    const std::string &help, std::size_t depth) {
    const json none = json::object();
    const auto properties = rules.find("properties");
    const json &knownProperties = properties == rules.end() ? none : *properties;
    const auto others = rules.find("additionalProperties");
    const bool mayHaveOthers =
        rules.contains("patternProperties") || others == rules.end() || *others != false;
    for (const auto &[name, member] : value.items()) {
      const std::string memberPath = path + '.' + name;
      if (const auto one = knownProperties.find(name); one != knownProperties.end()) {
        check(*one, member, memberPath, {}, depth + 1);
      } else if (!mayHaveOthers) {
        SettingProblem problem{memberPath, "unknown key \"" + mendUtf8(cutUtf8(name, 100)) + '"',
                               name};
        for (const auto &[other, ignored] : knownProperties.items()) problem.known.push_back(other);
        problems.push_back(std::move(problem));
      } else if (others != rules.end() && others->is_object()) {
        check(*others, member, memberPath, help, depth + 1);
      }
    }
    const auto required = rules.find("required");
    if (required == rules.end() || !required->is_array()) return;
    for (const json &name : *required) {
      if (!name.is_string() || value.contains(name.get_ref<const std::string &>())) continue;
      const auto one = knownProperties.find(name.get_ref<const std::string &>());
      const json &property = one == knownProperties.end() ? none : *resolved(*one);
      addProblem(path, '"' + name.get<std::string>() + "\" is missing" +
                           hintFrom(property.value("description", std::string())));
    }
  }

  const json &schema_;
};

} // namespace

SettingProblems explainViolations(const json &schema, const json &value) {
  Explainer explainer(schema);
  explainer.check(schema, value, "config", {});
  return std::move(explainer.problems);
}

std::string render(const SettingProblems &problems) {
  std::string out;
  for (const SettingProblem &problem : problems)
    out += (out.empty() ? "" : "; ") + problem.setting + ": " + problem.why;
  return out;
}

} // namespace skillhost
