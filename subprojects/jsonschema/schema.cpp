// SPDX-License-Identifier: Apache-2.0
#include "jsonschema/schema.hpp"

#include "ground/sorted_json.hpp"
#include "pattern.hpp"
#include "schema_limits.hpp"
#include "schema_words.hpp"

// Without this the library ends the process when a schema is wrong or memory is short.
#define VALIJSON_USE_EXCEPTIONS 1
#include <valijson/internal/custom_allocator.hpp>

#include <new>
#include <string>
#include <vector>

// valijson uses std::regex, and takes no other engine. Inside the namespace valijson, the name std
// means this namespace, so valijson compares all patterns, also its own for dates, by RE2.
namespace valijson::std {
using namespace ::std;

class regex {
public:
  explicit regex(const string &pattern) : pattern_(pattern) {}
  const skillhost::Pattern &pattern() const { return pattern_; }

private:
  skillhost::Pattern pattern_;
};

struct sub_match {
  const string &str() const { return text; }
  string text;
};

class smatch {
public:
  void set(vector<string> groups) { groups_ = ::std::move(groups); }
  sub_match operator[](size_t at) const { return {groups_.at(at)}; }

private:
  vector<string> groups_;
};

inline bool regex_search(const string &text, const regex &rules) {
  return rules.pattern().isIn(text);
}
// valijson begins such patterns with ^ and ends them with $.
inline bool regex_match(const string &text, const regex &rules) {
  return rules.pattern().isIn(text);
}
inline bool regex_match(const string &text, smatch &matches, const regex &rules) {
  vector<string> groups = rules.pattern().groupsIn(text);
  const bool found = !groups.empty();
  matches.set(::std::move(groups));
  return found;
}
} // namespace valijson::std

// The allocator at the start of each rule returns null when memory is short, and the containers of
// the rule write to it. This one throws instead. It must be declared before any rule is compiled.
template <>
inline valijson::internal::CustomAllocator<void *>::CustomAllocator()
    : m_allocFn([](std::size_t size) { return ::operator new(size); }),
      m_freeFn(::operator delete) {}

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace skillhost {
namespace {

using valijson::adapters::NlohmannJsonAdapter;

// Returns false if the document violates the rules. If that is because a text is too long to be
// compared with a pattern, `why` says so.
bool satisfies(const nlohmann::json &rules, const nlohmann::json &value,
               valijson::ValidationResults &results, std::string &why) {
  valijson::Schema compiled;
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(rules), compiled);
  try {
    return valijson::Validator().validate(compiled, NlohmannJsonAdapter(value), &results);
  } catch (const TextTooLong &tooLong) {
    why = tooLong.what();
    return false;
  }
}

} // namespace

Result<SettingProblems> checkAgainstSchema(std::string_view schema, std::string_view document,
                                           std::string_view otherwise) try {
  const std::size_t nesting = nestingOf(document);
  if (nesting > maxNesting)
    return SettingProblems{
        {"config", "is nested more than " + std::to_string(maxNesting) + " levels deep"}};
  const nlohmann::json rules = readSchema(schema, nesting);
  nlohmann::json value = nlohmann::json::parse(document);
  makeWholeNumbersIntegers(value);
  valijson::ValidationResults results;
  std::string tooLong;
  if (satisfies(rules, value, results, tooLong)) return SettingProblems{};
  SettingProblems problems = explainViolations(rules, value);
  if (!problems.empty()) return problems;
  if (!tooLong.empty()) return SettingProblems{{"config", std::move(tooLong)}};
  // Rules that combine others are not explained one by one; the deepest place has to suffice.
  std::string place;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    // Context is "<root>", "[key]", "[0]" ...: written as config.key[0].
    std::string where = "config";
    for (std::size_t i = 1; i < error.context.size(); ++i) {
      const std::string &step = error.context[i];
      const bool number = step.find_first_not_of("[]0123456789") == std::string::npos;
      where += number ? step : '.' + step.substr(1, step.size() - 2);
    }
    if (where.size() > place.size()) place = where;
  }
  return SettingProblems{{place, std::string(otherwise)}};
} catch (const std::bad_alloc &) {
  throw; // it says nothing about the schema
} catch (const std::exception &why) {
  return {Fault::InvalidFormat, why.what()};
}

} // namespace skillhost
