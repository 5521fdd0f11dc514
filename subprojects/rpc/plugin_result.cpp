// SPDX-License-Identifier: Apache-2.0
#include "rpc/plugin_result.hpp"

#include "rpc/json_members.hpp"

#include <array>
#include <initializer_list>

namespace skillhost {
namespace {

// Leaves room for the levels around it, because a message may have 64.
constexpr std::size_t maxResultDepth = 48;
constexpr std::size_t longestRequestState = 64U << 10U;
constexpr std::size_t maxInputRequests = 64;
constexpr std::size_t maxCompletions = 100; // the protocol's own limit

std::string lacks(const Json &object, std::initializer_list<const char *> texts) {
  for (const char *name : texts)
    if (!isText(object, name)) return std::string(name) + " is no string";
  return {};
}

std::string faultInContents(const Json &one) {
  if (!one.is_object()) return "it is no object";
  if (!isText(one, "text") && !isText(one, "blob")) return "it has neither text nor blob";
  if (!isTextOrAbsent(one, "mimeType")) return "mimeType is no string";
  if (std::string why = lacks(one, {"uri"}); !why.empty()) return why;
  return foreignScheme(one["uri"].get_ref<const std::string &>());
}

std::string faultInBlock(const Json &block) {
  if (!block.is_object() || !isText(block, "type")) return "it has no type";
  const std::string &type = block["type"].get_ref<const std::string &>();
  if (type == "text") return lacks(block, {"text"});
  if (type == "image" || type == "audio") return lacks(block, {"data", "mimeType"});
  if (type == "resource_link") {
    if (std::string why = lacks(block, {"uri", "name"}); !why.empty()) return why;
    return foreignScheme(block["uri"].get_ref<const std::string &>());
  }
  if (type != "resource") return "its type is unknown";
  const auto resource = block.find("resource");
  return resource == block.end() ? "it has no resource" : faultInContents(*resource);
}

std::string eachOf(const Json &result, const char *list, std::string (*fault)(const Json &)) {
  const auto found = result.find(list);
  if (found == result.end() || !found->is_array()) return std::string(list) + " is no array";
  for (std::size_t i = 0; i < found->size(); ++i)
    if (const std::string why = fault((*found)[i]); !why.empty())
      return std::string(list) + '[' + std::to_string(i) + "]: " + why;
  return {};
}

std::string faultInMessage(const Json &message) {
  if (!message.is_object() || !isText(message, "role")) return "it has no role";
  const std::string &role = message["role"].get_ref<const std::string &>();
  if (role != "user" && role != "assistant") return "its role is neither user nor assistant";
  const auto content = message.find("content");
  return content == message.end() ? "it has no content" : faultInBlock(*content);
}

Json textOfData(const Json &structured) {
  return Json::array({{{"type", "text"}, {"text", structured.dump()}}});
}

std::string faultInToolResult(Json &result) {
  const auto structured = result.find("structuredContent");
  if (structured != result.end() && !structured->is_object())
    return "structuredContent is no object";
  const auto error = result.find("isError");
  if (error != result.end() && !error->is_boolean()) return "isError is not true or false";
  // Clients that know only text need it as content.
  if (structured != result.end() && !result.contains("content"))
    result["content"] = textOfData(*structured);
  return eachOf(result, "content", &faultInBlock);
}

std::string faultIn(PluginResultKind kind, Json &result) {
  switch (kind) {
  case PluginResultKind::Tool:
    return faultInToolResult(result);
  case PluginResultKind::Prompt:
    if (!isTextOrAbsent(result, "description")) return "description is no string";
    return eachOf(result, "messages", &faultInMessage);
  case PluginResultKind::Resource:
    break;
  }
  return eachOf(result, "contents", &faultInContents);
}

std::string takeQuestions(const Json &capabilities, PluginResult &out) {
  const auto requests = out.members.find("inputRequests");
  const bool state = isText(out.members, "requestState");
  if (out.members.contains("requestState")) {
    if (!state) return "requestState is no string";
    out.requestState = out.members["requestState"].get<std::string>();
    if (out.requestState.size() > longestRequestState) return "requestState is longer than 64 KiB";
  }
  if (requests == out.members.end()) return state ? "" : "it asks for nothing";
  if (!requests->is_object() || requests->size() > maxInputRequests)
    return "inputRequests is no object of at most 64 questions";
  for (const auto &[key, question] : requests->items()) {
    if (!question.is_object() || !isText(question, "method"))
      return "inputRequests: a question has no method";
    const std::string_view needed =
        capabilityFor(question["method"].get_ref<const std::string &>());
    if (needed.empty()) return "inputRequests: a client cannot be asked with this method";
    if (question.contains("params") && !question["params"].is_object())
      return "inputRequests: params is no object";
    if (!capabilities.contains(needed))
      out.missingCapabilities[std::string(needed)] = Json::object();
  }
  return {};
}

} // namespace

void shapeToolResult(Json &members, ResultForm form) {
  const auto structured = members.find("structuredContent");
  if (structured == members.end() || form == ResultForm::Both) return;
  Json &content = members["content"];
  if (form == ResultForm::Text) {
    if (content.empty()) content = textOfData(members["structuredContent"]);
    members.erase("structuredContent");
    return;
  }
  if (members.value("isError", false)) return;
  Json others = Json::array();
  for (Json &block : content)
    if (!equalsText(block["type"], "text")) others.push_back(std::move(block));
  content = std::move(others);
}

std::string_view capabilityFor(std::string_view method) {
  if (method == "sampling/createMessage") return "sampling";
  if (method == "elicitation/create") return "elicitation";
  return method == "roots/list" ? "roots" : "";
}

Result<PluginResult> readPluginResult(PluginResultKind kind, std::string_view text,
                                      const Json &capabilities) {
  Result<Json> parsed = parseJson(text, {maxResultDepth});
  if (!parsed) return {Fault::Internal, "its result: " + parsed.failure().message};
  if (!parsed->is_object()) return {Fault::Internal, "its result is no JSON object"};
  PluginResult out;
  out.members = *std::move(parsed);
  if (const auto meta = out.members.find("_meta"); meta != out.members.end()) {
    if (!meta->is_object()) return {Fault::Internal, "its result: _meta is no object"};
    out.meta = *meta;
  }
  if (const auto type = out.members.find("resultType"); type != out.members.end()) {
    out.inputRequired = equalsText(*type, "input_required");
    if (!out.inputRequired && !equalsText(*type, "complete"))
      return {Fault::Internal, "its result: resultType is unknown"};
  }
  for (const char *name : {"_meta", "resultType", "ttlMs", "cacheScope"}) out.members.erase(name);
  const std::string why =
      out.inputRequired ? takeQuestions(capabilities, out) : faultIn(kind, out.members);
  if (!why.empty()) return {Fault::Internal, "its result: " + why};
  return out;
}

Result<Json> readPluginCompletion(std::string_view text) {
  Result<Json> parsed = parseJson(text, {maxResultDepth});
  if (!parsed) return {Fault::Internal, "its completion: " + parsed.failure().message};
  const auto wrong = [](const char *why) {
    return Failure{Fault::Internal, std::string("its completion: ") + why};
  };
  if (!parsed->is_object()) return wrong("it is no JSON object");
  const auto values = parsed->find("values");
  if (values == parsed->end() || !values->is_array()) return wrong("values is no array");
  for (const Json &value : *values)
    if (!value.is_string()) return wrong("a value is no string");
  const auto total = parsed->find("total");
  const auto more = parsed->find("hasMore");
  if (total != parsed->end() && !total->is_number_unsigned()) return wrong("total is no count");
  if (more != parsed->end() && !more->is_boolean()) return wrong("hasMore is not true or false");
  Json out{{"values", Json::array()}};
  for (const Json &value : *values)
    if (out["values"].size() < maxCompletions) out["values"].push_back(value);
  if (total != parsed->end()) out["total"] = *total;
  out["hasMore"] = values->size() > maxCompletions || (more != parsed->end() && more->get<bool>());
  return out;
}

} // namespace skillhost
