// SPDX-License-Identifier: Apache-2.0
#include "jsonschema/schema.hpp"

#include "ground/sorted_json.hpp"
#include "schema_words.hpp"

// Without this the library ends the process when a schema is wrong or memory is short.
#define VALIJSON_USE_EXCEPTIONS 1
#include <valijson/internal/custom_allocator.hpp>

#include <new>

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

#include <mutex>
#include <string>

namespace skillhost {

Result<SettingProblems> checkAgainstSchema(std::string_view schema, std::string_view document,
                                           std::string_view otherwise) try {
  using valijson::adapters::NlohmannJsonAdapter;
  const nlohmann::json rules = nlohmann::json::parse(schema);
  const nlohmann::json value = nlohmann::json::parse(document);
  valijson::Schema compiled;
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(rules), compiled);
  valijson::ValidationResults results;
  valijson::Validator validator;
  // libstdc++ compiles a pattern with a table of the locale that it fills without a lock, so one
  // validation runs at a time.
  static std::mutex patterns;
  const std::scoped_lock lock(patterns);
  if (validator.validate(compiled, NlohmannJsonAdapter(value), &results)) return SettingProblems{};
  SettingProblems problems = explainViolations(rules, value);
  if (!problems.empty()) return problems;
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
