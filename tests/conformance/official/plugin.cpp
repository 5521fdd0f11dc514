// SPDX-License-Identifier: Apache-2.0
// A plugin with every tool, prompt, resource and completion that the official conformance tool asks
// a server for, through the public plugin interface.
#include "pixel.hpp"
#include "questions.hpp"

#include <array>
#include <atomic>
#include <string>
#include <string_view>

namespace {

using fixture::Json;

constexpr std::array plainTools{"test_simple_text",
                                "test_image_content",
                                "test_audio_content",
                                "test_embedded_resource",
                                "test_multiple_content_types",
                                "test_tool_with_logging",
                                "test_logging_tool",
                                "test_error_handling",
                                "test_tool_with_progress",
                                "test_elicitation_sep1034_defaults",
                                "test_elicitation_sep1330_enums",
                                "test_input_required_result_elicitation",
                                "test_input_required_result_sampling",
                                "test_input_required_result_list_roots",
                                "test_input_required_result_request_state",
                                "test_input_required_result_tampered_state",
                                "test_input_required_result_multiple_inputs",
                                "test_input_required_result_multi_round",
                                "test_input_required_result_capabilities",
                                "test_missing_capability",
                                "test_streaming_elicitation",
                                "test_trigger_tool_change",
                                "test_trigger_prompt_change"};

Json tool(const std::string &name, Json properties = Json::object(),
          Json required = Json::array()) {
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return {{"name", name},
          {"description", "A fixture of the conformance run: " + name + "."},
          {"inputSchema", std::move(schema)}};
}

// Returns a schema with the keywords of JSON Schema 2020-12 that a server must pass on unchanged.
Json schemaTool() {
  const Json text{{"type", "string"}};
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"type", "object"}};
  schema["$defs"] = {{"address",
                      {{"$anchor", "addressDef"},
                       {"type", "object"},
                       {"properties", {{"street", text}, {"city", text}}}}}};
  schema["properties"] = {{"name", text},
                          {"address", {{"$ref", "#/$defs/address"}}},
                          {"contactMethod", {{"type", "string"}, {"enum", {"phone", "email"}}}},
                          {"phone", text},
                          {"email", text}};
  schema["allOf"] =
      Json::array({{{"anyOf", {{{"required", {"phone"}}}, {{"required", {"email"}}}}}}});
  schema["if"] = {{"properties", {{"contactMethod", {{"const", "phone"}}}}},
                  {"required", {"contactMethod"}}};
  schema["then"] = {{"required", {"phone"}}};
  schema["else"] = {{"required", {"email"}}};
  schema["additionalProperties"] = false;
  return {{"name", "json_schema_2020_12_tool"},
          {"description", "A tool whose schema uses much of JSON Schema 2020-12."},
          {"inputSchema", std::move(schema)}};
}

Json tools(bool another) {
  Json all = Json::array();
  for (const char *name : plainTools) all.push_back(tool(name));
  const Json text{{"type", "string"}};
  all.push_back(tool("test_sampling", {{"prompt", text}}, {"prompt"}));
  all.push_back(tool("test_elicitation", {{"message", text}}, {"message"}));
  all.push_back(schemaTool());
  if (another) all.push_back(tool("test_changed"));
  return all;
}

Json prompts(bool another) {
  const auto argument = [](const char *name) {
    return Json{{"name", name}, {"description", "Any text."}, {"required", true}};
  };
  const auto prompt = [](const char *name, Json arguments) {
    Json out{{"name", name}, {"description", "A fixture of the conformance run."}};
    if (!arguments.empty()) out["arguments"] = std::move(arguments);
    return out;
  };
  Json all = Json::array();
  all.push_back(prompt("test_simple_prompt", Json::array()));
  all.push_back(
      prompt("test_prompt_with_arguments", Json::array({argument("arg1"), argument("arg2")})));
  all.push_back(
      prompt("test_prompt_with_embedded_resource", Json::array({argument("resourceUri")})));
  all.push_back(prompt("test_prompt_with_image", Json::array()));
  all.push_back(prompt("test_input_required_result_prompt", Json::array()));
  if (another) all.push_back(prompt("test_changed_prompt", Json::array()));
  return all;
}

Json image() { return {{"type", "image"}, {"data", fixture::png}, {"mimeType", "image/png"}}; }
Json embedded(const std::string &uri, const char *mimeType, const std::string &text) {
  return {{"type", "resource"},
          {"resource", {{"uri", uri}, {"mimeType", mimeType}, {"text", text}}}};
}
Json say(const std::string &text) { return {{"type", "text"}, {"text", text}}; }
Json content(Json blocks) { return {{"content", std::move(blocks)}}; }
Json user(Json block) { return {{"role", "user"}, {"content", std::move(block)}}; }

class Fixture final : public skh::Tools {
public:
  Fixture(skh::Host host, const skh::Call &) : host_(host) {}

  std::string list(const skh::Call &) override {
    const auto resource = [](const char *uri, const char *mimeType) {
      return Json{{"uri", uri}, {"name", uri}, {"mimeType", mimeType}};
    };
    Json out{{"tools", tools(anotherTool_)}, {"prompts", prompts(anotherPrompt_)}};
    out["resources"] = {resource("test://static-text", "text/plain"),
                        resource("test://static-binary", "image/png"),
                        resource("test://watched-resource", "text/plain")};
    out["resourceTemplates"] = Json::array({{{"uriTemplate", "test://template/{id}/data"},
                                             {"name", "template"},
                                             {"mimeType", "application/json"}}});
    return out.dump();
  }

  std::string callTool(const skh::Call &call, const skh::Exchange &exchange, std::string_view name,
                       std::string_view arguments) override {
    if (Json plain = answer(name); !plain.is_null()) return plain.dump();
    if (name == "test_tool_with_logging" || name == "test_logging_tool") {
      for (const char *line : {"\"Tool execution started\"", "\"Tool processing data\"",
                               "\"Tool execution completed\""})
        exchange.log(SKH_INFO, "fixture", line);
      return fixture::text("Three messages were logged.").dump();
    }
    if (name == "test_tool_with_progress") {
      for (const std::uint64_t done : {0U, 50U, 100U}) call.progress(done, 100, "working");
      return fixture::text("Progress was told.").dump();
    }
    if (Json asked = fixture::askBetween(exchange, name); !asked.is_null()) return asked.dump();
    if (Json asked = fixture::askWithin(exchange, name, Json::parse(arguments)); !asked.is_null())
      return asked.dump();
    throw skh::Error(SKH_NOT_FOUND, "there is no such tool");
  }

  std::string getPrompt(const skh::Call &, const skh::Exchange &exchange, std::string_view name,
                        std::string_view arguments) override {
    const Json given = Json::parse(arguments);
    Json messages = Json::array();
    if (name == "test_input_required_result_prompt") return fixture::askForPrompt(exchange).dump();
    if (name == "test_simple_prompt")
      messages.push_back(user(say("This is a simple prompt for testing.")));
    if (name == "test_prompt_with_arguments")
      messages.push_back(user(say("Prompt with arguments: arg1='" + given.value("arg1", "") +
                                  "', arg2='" + given.value("arg2", "") + "'")));
    if (name == "test_prompt_with_embedded_resource") {
      messages.push_back(user(embedded(given.value("resourceUri", "test://example-resource"),
                                       "text/plain", "Embedded resource content for testing.")));
      messages.push_back(user(say("Please process the embedded resource above.")));
    }
    if (name == "test_prompt_with_image") {
      messages.push_back(user(image()));
      messages.push_back(user(say("Please analyze the image above.")));
    }
    return Json{{"messages", messages}}.dump();
  }

  std::string readResource(const skh::Call &, const skh::Exchange &,
                           std::string_view uri) override {
    Json one{{"uri", uri}};
    constexpr std::string_view begin = "test://template/", end = "/data";
    if (uri == "test://static-binary") {
      one["mimeType"] = "image/png";
      one["blob"] = fixture::png;
    } else if (uri.starts_with(begin)) {
      const std::string id(uri.substr(begin.size(), uri.size() - begin.size() - end.size()));
      one["mimeType"] = "application/json";
      one["text"] = Json{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}}.dump();
    } else {
      one["mimeType"] = "text/plain";
      one["text"] = "This is the content of the static text resource.";
    }
    return Json{{"contents", Json::array({one})}}.dump();
  }

  std::string complete(const skh::Call &, const skh::Completion &) override {
    return R"({"values":["test","testing"],"total":2,"hasMore":false})";
  }

private:
  // Returns the answer of a tool that neither reports progress nor asks; null for any other tool.
  Json answer(std::string_view name) {
    if (name == "test_simple_text" || name == "test_changed" || name == "json_schema_2020_12_tool")
      return fixture::text("This is a simple text response for testing.");
    if (name == "test_image_content") return content(Json::array({image()}));
    if (name == "test_audio_content")
      return content(
          Json::array({{{"type", "audio"}, {"data", fixture::wave}, {"mimeType", "audio/wav"}}}));
    if (name == "test_embedded_resource")
      return content(Json::array({embedded("test://embedded-resource", "text/plain",
                                           "This is an embedded resource content.")}));
    if (name == "test_multiple_content_types")
      return content(Json::array({say("Multiple content types test:"), image(),
                                  embedded("test://mixed-content-resource", "application/json",
                                           R"({"test":"data","value":123})")}));
    if (name == "test_error_handling") {
      Json out = fixture::text("This tool intentionally returns an error for testing");
      out["isError"] = true;
      return out;
    }
    if (name == "test_trigger_tool_change") return turn(anotherTool_);
    if (name == "test_trigger_prompt_change") return turn(anotherPrompt_);
    return nullptr;
  }

  Json turn(std::atomic<bool> &what) {
    what = !what;
    host_.changed();
    return fixture::text("The list is another one now.");
  }

  const skh::Host host_;
  std::atomic<bool> anotherTool_{false}, anotherPrompt_{false};
};

} // namespace

SKH_PLUGIN(skh::tools<Fixture>("org.skillhost.test.conformance", "1.0.0",
                               "What the official conformance tool asks for", nullptr));
