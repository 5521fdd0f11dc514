// SPDX-License-Identifier: Apache-2.0
// A plugin with two tools that count working days, which models often get wrong, and a prompt that
// uses them.
#include "days.hpp"

#include <skillhost/tools.hpp>

#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::ordered_json;

constexpr long maxDays = 100'000;

constexpr const char *offers = R"({
  "tools": [
    {"name": "count_working_days", "title": "Count working days",
     "description": "How many days from one date to another are neither Saturday nor Sunday.",
     "inputSchema": {"type": "object", "required": ["from", "to"], "properties": {
       "from": {"type": "string", "format": "date"}, "to": {"type": "string", "format": "date"}}},
     "outputSchema": {"type": "object", "required": ["days"], "properties": {"days": {"type": "integer"}}},
     "annotations": {"readOnlyHint": true, "openWorldHint": false}},
    {"name": "add_working_days", "title": "Add working days",
     "description": "The date after so many working days.",
     "inputSchema": {"type": "object", "required": ["from", "days"], "properties": {
       "from": {"type": "string", "format": "date"},
       "days": {"type": "integer", "minimum": 0, "maximum": 100000}}},
     "outputSchema": {"type": "object", "required": ["date"], "properties": {"date": {"type": "string"}}},
     "annotations": {"readOnlyHint": true, "openWorldHint": false}}],
  "prompts": [
    {"name": "plan_backwards", "title": "Plan backwards from a date",
     "description": "Works out when each step has to begin.",
     "arguments": [{"name": "due", "description": "The date it is due, such as 2026-12-18.", "required": true}]}]
})";

Json answered(const std::string &text, Json structured) {
  return {{"content", Json::array({{{"type", "text"}, {"text", text}}})},
          {"structuredContent", std::move(structured)}};
}

// Returns an error as the result of a tool, so that the model reads it and tries again.
Json wrong(const std::string &why) {
  return {{"content", Json::array({{{"type", "text"}, {"text", why}}})}, {"isError", true}};
}

// An instance never changes, so its calls may overlap.
class Calendar final : public skh::Tools {
public:
  Calendar(skh::Host, const skh::Call &) {}

  std::string list(const skh::Call &call) override {
    call.point(); // throws when nobody wants the result any more
    return offers;
  }

  std::string callTool(const skh::Call &call, const skh::Exchange &, std::string_view name,
                       std::string_view arguments) override {
    call.point();
    const Json given = Json::parse(arguments);
    if (name == "count_working_days") return count(given).dump();
    if (name == "add_working_days") return add(given).dump();
    throw skh::Error(SKH_NOT_FOUND, "there is no such tool");
  }

  std::string getPrompt(const skh::Call &call, const skh::Exchange &, std::string_view name,
                        std::string_view arguments) override {
    call.point();
    if (name != "plan_backwards") throw skh::Error(SKH_NOT_FOUND, "there is no such prompt");
    const auto due = day(Json::parse(arguments), "due");
    if (!due) throw skh::Error(SKH_INVALID, "due: write a date such as 2026-12-18");
    const std::string text = "This is due on " + writeDay(*due) +
                             ". List its steps with the working days each takes, then find the "
                             "date on which each has to begin with count_working_days.";
    return Json{{"messages", Json::array({{{"role", "user"},
                                           {"content", {{"type", "text"}, {"text", text}}}}})}}
        .dump();
  }

private:
  static std::optional<std::chrono::sys_days> day(const Json &from, const char *name) {
    const auto found = from.find(name);
    if (found == from.end() || !found->is_string()) return std::nullopt;
    return readDay(found->get_ref<const std::string &>());
  }

  static Json count(const Json &given) {
    const auto from = day(given, "from"), to = day(given, "to");
    if (!from || !to) return wrong("from and to: write dates such as 2026-12-18");
    const long days = workingDays(*from, *to);
    return answered(std::to_string(days) + " working days", {{"days", days}});
  }

  static Json add(const Json &given) {
    const auto from = day(given, "from");
    const auto days = given.find("days");
    const bool whole = days != given.end() && days->is_number_integer();
    if (!from || !whole || *days < 0 || *days > maxDays)
      return wrong("from: write a date such as 2026-12-18; days: a whole number, 0 to 100000");
    const std::string date = writeDay(afterWorkingDays(*from, days->get<long>()));
    return answered(date, {{"date", date}});
  }
};

constexpr const char *schema = R"({"type": "object", "additionalProperties": false})";

} // namespace

SKH_PLUGIN(skh::tools<Calendar>("org.skillhost.example.calendar", "1.0.0", "Counts working days",
                                schema));
