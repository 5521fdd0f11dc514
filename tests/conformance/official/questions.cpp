// SPDX-License-Identifier: Apache-2.0
#include "questions.hpp"

#include <initializer_list>

namespace fixture {
namespace {

Json schema(Json properties, Json required) {
  Json out{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) out["required"] = std::move(required);
  return out;
}

Json elicitation(const std::string &message, Json properties, Json required = Json::array()) {
  return {{"mode", "form"},
          {"message", message},
          {"requestedSchema", schema(std::move(properties), std::move(required))}};
}

Json sampling(const std::string &prompt) {
  return {{"messages",
           Json::array({{{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt}}}}})},
          {"maxTokens", 100}};
}

Json ask(const skh::Exchange &exchange, const char *method, const Json &params) {
  return Json::parse(exchange.ask(method, params.dump()));
}

Json spoken(const Json &answer) {
  return text("Elicitation completed: action=" + answer.value("action", "") + ", content=" +
              (answer.contains("content") ? answer["content"] : Json::object()).dump());
}

Json defaults() {
  return {
      {"name", {{"type", "string"}, {"default", "John Doe"}}},
      {"age", {{"type", "integer"}, {"default", 30}}},
      {"score", {{"type", "number"}, {"default", 95.5}}},
      {"status",
       {{"type", "string"}, {"enum", {"active", "inactive", "pending"}}, {"default", "active"}}},
      {"verified", {{"type", "boolean"}, {"default", true}}}};
}

Json titled(std::initializer_list<const char *> titles) {
  Json out = Json::array();
  std::size_t number = 0;
  for (const char *title : titles)
    out.push_back({{"const", "value" + std::to_string(++number)}, {"title", title}});
  return out;
}

Json choices() {
  const Json plain{"option1", "option2", "option3"};
  const Json named = titled({"First Option", "Second Option", "Third Option"});
  const Json several = titled({"First Choice", "Second Choice", "Third Choice"});
  return {{"untitledSingle", {{"type", "string"}, {"enum", plain}}},
          {"titledSingle", {{"type", "string"}, {"oneOf", named}}},
          {"legacyEnum",
           {{"type", "string"},
            {"enum", {"opt1", "opt2", "opt3"}},
            {"enumNames", {"Option One", "Option Two", "Option Three"}}}},
          {"untitledMulti", {{"type", "array"}, {"items", {{"type", "string"}, {"enum", plain}}}}},
          {"titledMulti", {{"type", "array"}, {"items", {{"anyOf", several}}}}}};
}

Json asking(Json requests, const char *state = nullptr) {
  Json out{{"resultType", "input_required"}, {"inputRequests", std::move(requests)}};
  if (state != nullptr) out["requestState"] = state;
  return out;
}

Json question(const char *method, Json params) {
  return {{"method", method}, {"params", std::move(params)}};
}

Json confirmation() {
  return question("elicitation/create",
                  elicitation("Please confirm", {{"ok", {{"type", "boolean"}}}}, {"ok"}));
}
Json nameQuestion() {
  return question("elicitation/create",
                  elicitation("What is your name?", {{"name", {{"type", "string"}}}}, {"name"}));
}
Json capital() {
  return question("sampling/createMessage", sampling("What is the capital of France?"));
}
Json roots() { return question("roots/list", Json::object()); }

// Returns the client's answer under that key; null when it is no object.
Json given(const skh::Exchange &exchange, const char *key) {
  const Json responses =
      exchange.inputResponses().empty() ? Json::object() : Json::parse(exchange.inputResponses());
  return responses.contains(key) && responses[key].is_object() ? responses[key] : Json();
}

Json greet(const skh::Exchange &exchange) {
  const Json answer = given(exchange, "user_name");
  if (answer.is_null()) return asking({{"user_name", nameQuestion()}});
  return text("Hello, " + answer.value("content", Json::object()).value("name", "") + "!");
}

// Asks one question, then returns the client's answer.
Json echo(const skh::Exchange &exchange, const char *key, Json asked, const char *state = nullptr) {
  const Json answer = given(exchange, key);
  if (answer.is_null()) return asking({{key, std::move(asked)}}, state);
  if (state != nullptr && exchange.requestState() != state)
    throw skh::Error(SKH_INVALID, "the state is another one");
  return text((state == nullptr ? "" : "state-ok: ") + answer.dump());
}

Json severalAtOnce(const skh::Exchange &exchange) {
  const Json name = given(exchange, "user_name"), greeting = given(exchange, "greeting"),
             clientRoots = given(exchange, "client_roots");
  if (name.is_null() || greeting.is_null() || clientRoots.is_null())
    return asking({{"user_name", nameQuestion()},
                   {"greeting", question("sampling/createMessage", sampling("Greet somebody."))},
                   {"client_roots", roots()}},
                  "several");
  return text(name.dump() + greeting.dump() + clientRoots.dump());
}

Json rounds(const skh::Exchange &exchange) {
  if (exchange.requestState().empty()) return asking({{"step1", nameQuestion()}}, "round 1");
  if (exchange.requestState() == "round 1")
    return asking({{"step2", question("elicitation/create",
                                      elicitation("Which colour do you like?",
                                                  {{"color", {{"type", "string"}}}}, {"color"}))}},
                  "round 2");
  return text("All rounds are done: " + std::string(exchange.inputResponses()));
}

Json whatIsPossible(const skh::Exchange &exchange) {
  const Json capabilities = Json::parse(exchange.clientCapabilities());
  Json requests = Json::object();
  if (capabilities.contains("sampling")) requests["capital_question"] = capital();
  if (capabilities.contains("elicitation")) requests["user_name"] = nameQuestion();
  return requests.empty() ? text("This client cannot be asked.") : asking(std::move(requests));
}

} // namespace

Json text(const std::string &text) {
  return {{"content", Json::array({{{"type", "text"}, {"text", text}}})}};
}

Json askWithin(const skh::Exchange &exchange, std::string_view name, const Json &arguments) {
  if (name == "test_sampling") {
    const Json answer =
        ask(exchange, "sampling/createMessage", sampling(arguments.value("prompt", "")));
    return text("LLM response: " + answer.value("content", Json::object()).value("text", ""));
  }
  if (name == "test_elicitation") {
    const Json asked =
        elicitation(arguments.value("message", ""),
                    {{"username", {{"type", "string"}, {"description", "User's response"}}},
                     {"email", {{"type", "string"}, {"description", "User's email address"}}}},
                    {"username", "email"});
    return text("User response: " + ask(exchange, "elicitation/create", asked).dump());
  }
  if (name == "test_elicitation_sep1034_defaults")
    return spoken(ask(exchange, "elicitation/create", elicitation("Your data?", defaults())));
  if (name == "test_elicitation_sep1330_enums")
    return spoken(ask(exchange, "elicitation/create", elicitation("Your choice?", choices())));
  return nullptr;
}

Json askBetween(const skh::Exchange &exchange, std::string_view name) {
  if (name == "test_input_required_result_elicitation") return greet(exchange);
  if (name == "test_input_required_result_sampling")
    return echo(exchange, "capital_question", capital());
  if (name == "test_input_required_result_list_roots")
    return echo(exchange, "client_roots", roots());
  if (name == "test_input_required_result_request_state")
    return echo(exchange, "confirm", confirmation(), "request-state");
  if (name == "test_input_required_result_tampered_state")
    return echo(exchange, "confirm", confirmation(), "sealed");
  if (name == "test_input_required_result_multiple_inputs") return severalAtOnce(exchange);
  if (name == "test_input_required_result_multi_round") return rounds(exchange);
  if (name == "test_input_required_result_capabilities") return whatIsPossible(exchange);
  if (name == "test_missing_capability") return echo(exchange, "capital_question", capital());
  if (name == "test_streaming_elicitation") return greet(exchange);
  return nullptr;
}

Json askForPrompt(const skh::Exchange &exchange) {
  const Json answer = given(exchange, "user_context");
  if (answer.is_null())
    return asking({{"user_context",
                    question("elicitation/create",
                             elicitation("What should the prompt be about?",
                                         {{"context", {{"type", "string"}}}}, {"context"}))}});
  return {{"messages",
           Json::array({{{"role", "user"},
                         {"content", {{"type", "text"}, {"text", "About: " + answer.dump()}}}}})}};
}

} // namespace fixture
