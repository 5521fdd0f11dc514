// SPDX-License-Identifier: Apache-2.0
// Serves tools/list and tools/call.
#include "admission.hpp"
#include "catalogue_summary.hpp"
#include "ground/json_member.hpp"
#include "ground/json_text.hpp"
#include "list_order.hpp"
#include "listed_texts.hpp"
#include "load.hpp"
#include "loading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "plugin_calls.hpp"
#include "skill_tools.hpp"

#include <vector>

namespace skillhost {
namespace {

// Fits, with the text before it, into the 2 KB that clients show of a description.
constexpr std::size_t catalogueBytes = 1900;

// Returns the schema of every envelope, around the data of one tool.
std::string outputSchema(std::string_view dataSchema) {
  std::string out = R"({"type":"object","properties":{"success":{"type":"boolean"},"data":)";
  out += dataSchema;
  return out +
         R"(,"error":{"type":"object","properties":{"code":{"type":"string"},"message":{"type":"string","maxLength":1000},"context":{"type":"object"},"retryable":{"type":"boolean"},"retryAfterMs":{"type":"integer","minimum":1}},"required":["code","message","retryable"]},"metadata":{"type":"object","properties":{"durationMs":{"type":"integer","minimum":0},"cached":{"type":"boolean"},"truncated":{"type":"boolean"},"partial":{"type":"boolean"},"indexed":{"type":"object","properties":{"done":{"type":"integer","minimum":0},"total":{"type":"integer","minimum":0}},"required":["done","total"]},"notice":{"type":"string"}},"required":["durationMs"]}},"required":["success","metadata"]})";
}

// The reader of a list of tools.
struct ToolReader {
  ResultForm form;
  bool session;   // there is one, which knows what is loaded
  bool reviews;   // is offered the tools of reviewers
  bool operators; // is offered the tools of operators
  // Returns the name under which the list is kept.
  std::string list() const {
    return std::string("tools") + (form == ResultForm::Text ? " as text" : "") +
           (session ? "" : ", no session") + (reviews ? ", reviewer" : "") +
           (operators ? "" : ", no operator");
  }
};

std::string inputSchema(const Tool &tool, ResultForm form) {
  if (form != ResultForm::Text || tool.dataOnlyArgument.empty())
    return std::string(tool.inputSchema);
  Json schema = Json::parse(tool.inputSchema);
  schema["properties"].erase(std::string(tool.dataOnlyArgument));
  return schema.dump();
}

std::string describeTool(const Tool &tool, std::string_view description, ToolReader reader) {
  std::string out = R"({"name":")" + std::string(tool.name) + R"(","title":")" +
                    std::string(tool.title) + R"(","description":)";
  appendJsonString(out, std::string(description) +
                            std::string(reader.session ? tool.sessionDescription : ""));
  out += R"(,"inputSchema":)" + inputSchema(tool, reader.form);
  // A tool that states an output schema must send structured data.
  if (reader.form != ResultForm::Text) out += R"(,"outputSchema":)" + outputSchema(tool.dataSchema);
  out += R"(,"annotations":{"title":")" + std::string(tool.title) + R"(","readOnlyHint":)";
  out += tool.readOnly ? "true" : "false";
  out += R"(,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false})";
  // Without these three, a model would have to search for the tools that search for skills.
  const bool always =
      &tool == &listSkillsTool || &tool == &findHelpfulSkillsTool || &tool == &loadSkillTool;
  std::string meta = always ? R"("anthropic/alwaysLoad":true)" : "";
  if (tool.maxResultCharacters != 0) meta += (always ? "," : "") + maxResultMember(tool);
  if (!meta.empty()) out += R"(,"_meta":{)" + meta + '}';
  return out + "}";
}

// No agent needs them for its task, and their descriptions would be in every conversation.
bool isForOperators(const Tool &tool) {
  return &tool == &loadedSkillsTool || &tool == &reloadTool || &tool == &statisticsTool;
}

// All tools: ours first, then the skills, then those of plugins, each in a fixed order.
struct AllTools {
  std::vector<const Tool *> ours;
  ListOrder order;

  AllTools(const Call &call, ToolReader reader, Expose expose, const Catalogue &catalogue,
           const PluginToolSet &pluginTools) {
    const bool skillsToo = expose != Expose::Gateway;
    for (const PluginTool &pluginTool : pluginTools.tools())
      if (!skillsToo || findSkillTool(catalogue, pluginTool.key) == nullptr)
        order.fromPlugin.push_back(&pluginTool);
    if (expose != Expose::Skills)
      for (const Tool *const tool : call.services().tools.all())
        if (isOffered(*tool, call) && (reader.operators || !isForOperators(*tool)))
          ours.push_back(tool);
    order.front = ours.size();
    if (expose == Expose::Gateway) return;
    for (const CatalogueEntry &entry : catalogue.entries())
      if (entry.isForModels()) order.skills.push_back(&entry);
  }
  // `listing` is the description of list_skills.
  std::string describe(std::size_t i, std::string_view listing, ToolReader reader) const {
    if (i < ours.size())
      return describeTool(*ours[i], ours[i] == &listSkillsTool ? listing : ours[i]->description,
                          reader);
    i -= ours.size();
    const std::size_t skills = order.skills.size();
    if (i < skills) return describeSkillTool(*order.skills[i]);
    const PluginTool &pluginTool = *order.fromPlugin[i - skills];
    const bool bare = reader.form == ResultForm::Text && !pluginTool.listEntryWithoutSchema.empty();
    return bare ? pluginTool.listEntryWithoutSchema : pluginTool.listEntry;
  }
};

void callSkillTool(const CallPointer &call, const std::shared_ptr<const Catalogue> &catalogue,
                   const CatalogueEntry &entry, const Json &arguments) {
  const ToolCall tool(call, arguments);
  Arguments reader(arguments, {"force_reload", "offset"});
  LoadRequest request;
  request.force = reader.flag("force_reload", false);
  request.offset = static_cast<std::size_t>(reader.integer("offset", 0, 0, INT64_MAX));
  if (!reader.good()) return tool.fail(reader.failure());
  loadSkill(tool, catalogue, entry, request);
}

const Json &argumentsOf(const CallPointer &call) {
  static const Json none = Json::object();
  const Json &found = memberOf(call->params(), "arguments");
  return found.is_null() ? none : found;
}

} // namespace

std::shared_ptr<const std::string>
listingDescription(Services &services, const std::shared_ptr<const Catalogue> &catalogue) {
  return services.listings.get(catalogue, "list_skills", [&] {
    std::string description(listSkillsTool.description);
    const std::string_view lead = " Skills:";
    const std::string_view more = catalogue->loading().isInProgress
                                      ? "\n(still loading: list_skills has the rest soon)"
                                      : std::string_view{};
    const std::size_t room = catalogueBytes - description.size() - lead.size() - more.size();
    const std::string skills = shortCatalogue(*catalogue, room);
    if (!skills.empty()) (description += lead) += skills;
    return description += more;
  });
}

void methods::listTools(const CallPointer &call) {
  const auto cursor = cursorOf(call);
  if (!cursor) return;
  Services &services = call->services();
  const auto catalogue = call->catalogue();
  const auto pluginTools = call->pluginTools();
  const ToolReader reader{call->resultForm(), call->remembers(), isReviewer(*call),
                          services.settings.operatorTools || !call->isFromAgentHost()};
  const AllTools all(*call, reader, exposedTools(services, catalogue), *catalogue, *pluginTools);
  const ListKeys keys = all.order.keys(*catalogue);
  const Result<Page> page = pageAt(keys, *cursor, services.settings.pageSize);
  if (!page) return call->fail(page.failure());
  const std::string key = pageKey(reader.list().c_str(), *pluginTools, *page);
  const auto text = services.listings.get(catalogue, key, [&] {
    const auto listing = listingDescription(services, catalogue);
    std::string out = R"("tools":[)";
    for (std::size_t i = page->begin; i < page->end; ++i) {
      if (i != page->begin) out += ',';
      out += all.describe(i, *listing, reader);
    }
    return out + "]" + nextCursor(keys, *page);
  });
  Fragments out;
  out.append(text);
  Caching caching = cachedBriefly;
  // The answer depends on the client's name, so it must not reach another client from a shared
  // cache.
  caching.shared = services.settings.results != Results::Auto && services.settings.operatorTools;
  answerList(call, out, *catalogue, caching);
}

void methods::callTool(const CallPointer &call) {
  const auto name = requiredText(call, "name");
  if (!name) return;
  call->addToLogLine(*name);
  Services &services = call->services();
  const auto catalogue = call->catalogue();
  const Expose expose = exposedTools(services, catalogue);
  const Tool *tool = expose == Expose::Skills ? nullptr : services.tools.find(*name);
  if (tool != nullptr && !isOffered(*tool, *call)) tool = nullptr;
  const CatalogueEntry *const skill =
      tool != nullptr || expose == Expose::Gateway ? nullptr : findSkillTool(*catalogue, *name);
  const PluginToolSetPointer pluginTools =
      tool != nullptr || skill != nullptr ? nullptr : call->pluginTools();
  const PluginTool *const fromPlugin = pluginTools ? pluginTools->tool(*name) : nullptr;
  if (tool == nullptr && skill == nullptr && fromPlugin == nullptr) {
    if (failWhileLoading(call, *catalogue)) return;
    // A client with an old list is told why the tool is gone.
    const bool withheld = expose != services.settings.expose && findSkillTool(*catalogue, *name);
    const std::string hint = withheld ? ": there are too many skills now, call load_skill" : "";
    // If skills are tools, the operator learns of a missing skill in the same way as from
    // load_skill.
    const Fault fault = expose == Expose::Gateway ? Fault::InvalidParams : Fault::NotFound;
    return call->fail({fault, "Unknown tool: " + name->substr(0, 100) + hint});
  }
  const Json &arguments = argumentsOf(call);
  if (!arguments.is_object())
    return call->fail({Fault::InvalidParams, "params.arguments must be an object"});
  // Only its author knows what a plugin's tool does. Unless it is read-only, it may take as long as
  // long work does.
  const ToolCategory category = tool != nullptr ? tool->category
                                : fromPlugin != nullptr && !fromPlugin->readOnly
                                    ? ToolCategory::Execution
                                    : ToolCategory::Query;
  call->setTimeLimit(services.settings.deadlines.of(*name, category));
  // An operator needs the figures most of all while memory is short.
  const Shortage shortage = tool == &statisticsTool ? Shortage::Passes : Shortage::Refuses;
  if (refusedByGuards(call, *name, arguments, shortage)) return;
  if (tool != nullptr)
    services.tools.run(*tool, ToolCall(call, arguments));
  else if (fromPlugin != nullptr)
    callPluginTool(call, *fromPlugin, arguments);
  else
    callSkillTool(call, catalogue, *skill, arguments);
}

} // namespace skillhost
