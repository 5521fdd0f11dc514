// SPDX-License-Identifier: Apache-2.0
#include "settings/declarations.hpp"

#include "ground/json_member.hpp"
#include "ground/shown.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <utility>

namespace skillhost::settings {
namespace {

template <class Value> struct Word {
  std::string_view name;
  Value value;
};
constexpr std::array<Word<Meaning>, 9> formats{{{"path", Meaning::Path},
                                                {"glob", Meaning::Glob},
                                                {"scope", Meaning::Scope},
                                                {"reference", Meaning::Reference},
                                                {"secret", Meaning::Secret},
                                                {"origin", Meaning::Origin},
                                                {"url", Meaning::Url},
                                                {"host-name", Meaning::HostName},
                                                {"header-name", Meaning::HeaderName}}};
constexpr std::array<Word<Reload>, 3> reloads{
    {{"restart", Reload::Restart}, {"applied", Reload::Applied}, {"refused", Reload::Refused}}};

bool isWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Returns true for a key of a list's entries.
bool isEntryKey(std::string_view key) { return key.find("[].") != std::string_view::npos; }

// Returns true for "page_size", "metrics.listen" or "sources[].webhook_secret"; features have keys
// in no other list.
bool isKey(std::string_view key) {
  constexpr std::string_view entry = "sources[].";
  if (key.starts_with(entry)) return isWord(key.substr(entry.size()));
  const std::size_t dot = key.find('.');
  return isWord(key.substr(0, dot)) && (dot == key.npos || isWord(key.substr(dot + 1)));
}

bool isOption(std::string_view text) {
  return text.size() > 3 && text.starts_with("--") && text[2] != '-' &&
         std::all_of(text.begin() + 2, text.end(),
                     [](char c) { return c == '-' || (c != '_' && isWord({&c, 1})); });
}

template <class Value, std::size_t Count>
std::string namesOf(const std::array<Word<Value>, Count> &words) {
  std::string text;
  for (const auto &[name, value] : words) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

// Keeps the first problem and continues reading.
class DeclarationReader {
public:
  Result<Declarations> read(const Json &document) {
    Declarations found;
    if (!document.is_object()) return Failure{Fault::InvalidInput, "expected an object"};
    checkMembers(document, {"feature", "sections", "keys"});
    for (const Json &one : list(document, "sections")) found.sections.push_back(section(one));
    where_.clear();
    for (const Json &one : list(document, "keys")) {
      found.keys.push_back(declaration(one));
      Declaration &made = found.keys.back();
      if (made.after.empty() && found.keys.size() > 1) made.after = found.keys.end()[-2].key;
    }
    if (!problem_.empty()) return Failure{Fault::InvalidInput, problem_};
    return found;
  }

private:
  enum class Need : std::uint8_t { Required, Optional };

  void refuse(const std::string &why) {
    if (problem_.empty()) problem_ = where_.empty() ? why : where_ + ": " + why;
  }

  void checkMembers(const Json &object, const std::vector<std::string_view> &known) {
    for (const auto &[name, value] : object.items()) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      std::string words;
      for (const std::string_view one : known) words.append(words.empty() ? "" : ", ").append(one);
      refuse("unknown member \"" + shownLine(name) + "\"; known here: " + words);
    }
  }

  std::string text(const Json &object, const char *name, Need need) {
    const Json &value = memberOf(object, name);
    if (value.is_null() && need == Need::Optional) return {};
    const std::string found = value.is_string() ? value.get<std::string>() : std::string();
    if (found.empty() || shownLine(found) != found)
      refuse(std::string(name) + ": expected a text of one line");
    return found;
  }

  const Json &list(const Json &object, const char *name) {
    static const Json none = Json::array();
    const Json &value = memberOf(object, name);
    if (value.is_array()) return value;
    if (!value.is_null()) refuse(std::string(name) + ": expected a list");
    return none;
  }

  std::uint64_t number(const Json &object, const char *name) {
    const Json &value = memberOf(object, name);
    if (value.is_number_integer() && (value.is_number_unsigned() || value.get<std::int64_t>() >= 0))
      return value.get<std::uint64_t>();
    refuse(std::string(name) + ": expected a whole number that is not negative");
    return 0;
  }

  bool flag(const Json &object, const char *name) {
    const Json &value = memberOf(object, name);
    if (!value.is_null() && !value.is_boolean())
      refuse(std::string(name) + ": expected true or false");
    return value.is_boolean() && value.get<bool>();
  }

  template <class Value, std::size_t Count>
  Value word(const Json &object, const char *name, const std::array<Word<Value>, Count> &words,
             Value otherwise) {
    const std::string word = text(object, name, Need::Optional);
    if (word.empty()) return otherwise;
    for (const auto &[known, value] : words)
      if (known == word) return value;
    refuse(std::string(name) + ": expected one of " + namesOf(words));
    return otherwise;
  }

  Section section(const Json &json) {
    where_ = "sections";
    if (!json.is_object()) {
      refuse("expected objects");
      return {};
    }
    const std::string name = text(json, "name", Need::Required);
    if (!isWord(name)) refuse("name: expected a-z, 0-9 and _");
    where_ = "the section " + name;
    checkMembers(json, {"name", "description"});
    return {name, sentences(json)};
  }

  std::string sentences(const Json &json) {
    std::string text = this->text(json, "description", Need::Required);
    if (!text.ends_with('.'))
      refuse("description: expected sentences, with a full stop at the end");
    return text;
  }

  // Reads a text, or the texts of a list: {"type": "string", …}.
  void readText(const Json &json, Declaration &out) {
    out.meaning = word(json, "format", formats, Meaning::Plain);
    out.minimum = memberOf(json, "minLength").is_null() ? 0 : number(json, "minLength");
    out.maximum = number(json, "maxLength");
    if (out.minimum > out.maximum) refuse("minLength is more than maxLength");
  }

  void readChoices(const Json &json, Declaration &out) {
    for (const Json &one : list(json, "enum"))
      out.choices.push_back(one.is_string() ? one.get<std::string>() : std::string());
    if (out.choices.size() < 2 ||
        std::find(out.choices.begin(), out.choices.end(), "") != out.choices.end())
      refuse("enum: expected two texts or more");
    out.maximum = std::numeric_limits<std::uint64_t>::max();
  }

  // Reads the items of a list: texts, or rules that contain no lists of rules.
  void readItems(const Json &json, Declaration &out) {
    const Json &items = memberOf(json, "items");
    if (items.is_object() && memberOf(items, "type") == Json("object") && out.parts.empty() &&
        !isPart_)
      return readRules(items, out);
    if (!items.is_object() || memberOf(items, "type") != Json("string"))
      return refuse("items: expected {\"type\": \"string\", …}: a list has texts");
    if (items.contains("enum")) {
      checkMembers(items, {"type", "enum"});
      return readChoices(items, out);
    }
    checkMembers(items, {"type", "format", "minLength", "maxLength"});
    readText(items, out);
    const std::string names = text(json, "names", Need::Optional);
    out.namesSources = names == "sources";
    if (!names.empty() && (!out.namesSources || out.meaning != Meaning::Glob))
      refuse("names: expected \"sources\", beside items of the format glob");
  }

  void readRules(const Json &items, Declaration &out) {
    out.type = Type::RuleList;
    checkMembers(items, {"type", "properties", "required", "examples"});
    std::vector<std::string> required;
    for (const Json &name : list(items, "required"))
      required.push_back(name.is_string() ? name.get<std::string>() : std::string());
    const std::string rules = std::exchange(where_, where_ + "[].");
    isPart_ = true;
    for (const auto &[name, json] : memberOf(items, "properties").items()) {
      const auto found = std::find(required.begin(), required.end(), name);
      out.parts.push_back(part(name, json, found != required.end()));
      if (found != required.end()) required.erase(found);
      where_ = rules + "[].";
    }
    isPart_ = false;
    where_ = rules;
    out.examples = list(items, "examples");
    const bool areRules = std::all_of(out.examples.begin(), out.examples.end(),
                                      [](const Json &one) { return one.is_object(); });
    if (out.parts.empty() || !required.empty())
      refuse("items: expected properties, among which are those that are required");
    if (out.examples.empty() || !areRules) refuse("items: examples: expected a rule or more");
  }

  Declaration part(const std::string &name, const Json &json, bool isRequired) {
    Declaration out;
    where_ += name;
    out.key = name;
    out.isRequired = isRequired;
    if (!isWord(name)) refuse("expected a-z, 0-9 and _");
    if (!json.is_object()) {
      refuse("expected an object");
      return out;
    }
    readType(json, out);
    if (isRequired && (!json.contains("enum") || json.contains("default")))
      refuse("default: what is required has none, and is a choice");
    if (!isRequired) readDefault(json, out);
    out.description = sentences(json);
    return out;
  }

  void readType(const Json &json, Declaration &out) {
    const std::string type = text(json, "type", Need::Required);
    const auto checkOnly = [&](std::initializer_list<std::string_view> more) {
      std::vector<std::string_view> known{"key",     "after",       "option", "type",
                                          "default", "description", "reload", "requires"};
      if (isPart_) known = {"type", "default", "description"};
      known.insert(known.end(), more);
      checkMembers(json, known);
    };
    if (type == "host" && !isPart_) {
      checkMembers(json, {"key", "type", "description"});
      out.type = Type::OfHost;
    } else if (type == "boolean") {
      checkOnly({});
      out.type = Type::Flag;
      out.maximum = std::numeric_limits<std::uint64_t>::max();
    } else if (type == "integer") {
      checkOnly({"minimum", "maximum"});
      out.type = Type::WholeNumber;
      out.minimum = number(json, "minimum");
      out.maximum = number(json, "maximum");
      if (out.minimum > out.maximum) refuse("minimum is more than maximum");
    } else if (type == "string" && json.contains("enum")) {
      checkOnly({"enum"});
      out.type = Type::Choice;
      readChoices(json, out);
    } else if (type == "string") {
      checkOnly({"format", "minLength", "maxLength", "beside", "or_here"});
      readText(json, out);
      out.beside = text(json, "beside", Need::Optional);
      out.orHere = flag(json, "or_here");
      const bool isFile = out.beside.find('/') == std::string::npos;
      if (!out.beside.empty() && (out.meaning != Meaning::Path || isPart_ || !isFile))
        refuse("beside: expected the name of a file, beside the format path");
      if (out.orHere && out.beside.empty()) refuse("or_here: is for a path with beside");
    } else if (type == "array") {
      checkOnly({"items", "names"});
      out.type = Type::TextList;
      readItems(json, out);
    } else {
      refuse("type: expected boolean, integer, string, array or host");
    }
  }

  static bool isTextOf(const Declaration &declared, const Json &value) {
    if (!value.is_string()) return false;
    const std::size_t size = value.get_ref<const std::string &>().size();
    return size >= declared.minimum && size <= declared.maximum;
  }

  static bool isChoiceOf(const Declaration &declared, const Json &value) {
    return value.is_string() &&
           std::find(declared.choices.begin(), declared.choices.end(),
                     value.get_ref<const std::string &>()) != declared.choices.end();
  }

  static bool mayBeDefault(const Declaration &declared, const Json &value) {
    switch (declared.type) {
    case Type::Flag:
      return value.is_boolean();
    case Type::WholeNumber:
      return value.is_number_integer() &&
             (value.is_number_unsigned() || value.get<std::int64_t>() >= 0) &&
             value.get<std::uint64_t>() >= declared.minimum &&
             value.get<std::uint64_t>() <= declared.maximum;
    case Type::Choice:
      return isChoiceOf(declared, value);
    case Type::Text:
      return value.is_null() || isTextOf(declared, value);
    case Type::RuleList:
      return value == Json::array();
    case Type::OfHost:
      return false;
    case Type::TextList:
      break;
    }
    return value.is_array() && std::all_of(value.begin(), value.end(), [&](const Json &one) {
             return declared.choices.empty() ? isTextOf(declared, one) : isChoiceOf(declared, one);
           });
  }

  void readDefault(const Json &json, Declaration &out) {
    out.standard = memberOf(json, "default");
    const bool isList = out.type == Type::TextList || out.type == Type::RuleList;
    if (isList && out.standard.is_null()) out.standard = Json::array();
    if (!mayBeDefault(out, out.standard))
      refuse(out.standard.is_null() ? "default: is missing: a text alone may have none"
                                    : "default: is no value that the key may have");
    // These values are resolved when a configuration is read; a default is not.
    const bool isRead = out.meaning == Meaning::Path || out.meaning == Meaning::Secret ||
                        out.meaning == Meaning::Reference;
    if (isRead && !out.standard.empty())
      refuse("default: a path, a secret and a reference have none");
  }

  Declaration declaration(const Json &json) {
    Declaration out;
    where_ = "keys";
    if (!json.is_object()) {
      refuse("expected objects");
      return out;
    }
    out.key = text(json, "key", Need::Required);
    where_ = out.key;
    if (!isKey(out.key)) refuse("key: expected NAME, SECTION.NAME or sources[].NAME");
    out.after = text(json, "after", Need::Optional);
    if (!out.after.empty() && (!isKey(out.after) || isEntryKey(out.after) != isEntryKey(out.key)))
      refuse("after: expected a key of the same list");
    out.option = text(json, "option", Need::Optional);
    if (!out.option.empty() && (!isOption(out.option) || isEntryKey(out.key)))
      refuse(isEntryKey(out.key) ? "option: a key of an entry has none"
                                 : "option: expected a name such as --audit-log");
    readType(json, out);
    if (out.type == Type::OfHost) {
      if (isEntryKey(out.key)) refuse("type: a key of an entry is not of the host");
      if (json.contains("description")) out.description = sentences(json);
      return out;
    }
    readDefault(json, out);
    out.description = sentences(json);
    out.reload = word(json, "reload", reloads, Reload::Restart);
    if (isEntryKey(out.key) && out.reload != Reload::Applied)
      refuse("reload: expected applied: a running server takes over the entries of its sources");
    const Json &needed = memberOf(json, "requires");
    if (!needed.is_null() && !needed.is_object()) refuse("requires: expected an object");
    for (const auto &[name, why] : needed.items())
      if (isKey(name) && !isEntryKey(name) && !isEntryKey(out.key) && why.is_string())
        out.needed.emplace(name, why.get<std::string>());
      else
        refuse("requires: expected keys, each with what to say where it is not set");
    return out;
  }

  std::string problem_;
  std::string where_;   // the key or section that is being read
  bool isPart_ = false; // it is a key of a rule
};

} // namespace

Result<Declarations> readDeclarations(const Json &document) {
  return DeclarationReader().read(document);
}

Result<Declarations> readAll(std::string_view index) {
  const Result<Json> documents = parseJson(index);
  if (!documents) return documents.failure();
  Declarations all;
  std::map<std::string, std::string> owners; // owners of keys, options and sections
  std::string twice;
  for (const Json &document : *documents) {
    Result<Declarations> read = readDeclarations(document);
    if (!read) return read.failure();
    const Json &feature = memberOf(document, "feature");
    const std::string owner = feature.is_string() ? feature.get<std::string>() : std::string();
    const auto take = [&](const std::string &name) {
      const auto [known, isNew] = owners.emplace(name, owner);
      if (!name.empty() && !isNew && twice.empty())
        twice = name + " is declared twice, by " + known->second + " and by " + owner;
    };
    for (Declaration &one : read->keys) {
      take(one.key);
      take(one.option);
      all.keys.push_back(std::move(one));
    }
    for (Section &one : read->sections) {
      take("the section " + one.name);
      all.sections.push_back(std::move(one));
    }
  }
  if (!twice.empty()) return Failure{Fault::InvalidInput, twice};
  return all;
}

} // namespace skillhost::settings
