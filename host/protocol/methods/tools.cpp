// SPDX-License-Identifier: Apache-2.0
// tools/list and tools/call.
#include "admission.hpp"
#include "base/json_text.hpp"
#include "client_session.hpp"
#include "load.hpp"
#include "methods.hpp"
#include "offered_calls.hpp"
#include "params.hpp"
#include "services.hpp"
#include "skill_texts.hpp"
#include "skill_tools.hpp"
#include "tool.hpp"

#include <vector>

namespace skillhost {
namespace {

// Within the 2 KB that clients show of a description, what stands before it included.
constexpr std::size_t catalogueBytes = 1900;

// What every envelope looks like, around the data of one tool.
std::string outputSchema(std::string_view dataSchema) {
  std::string out = R"({"type":"object","properties":{"success":{"type":"boolean"},"data":)";
  out += dataSchema;
  return out +
         R"(,"error":{"type":"object","properties":{"code":{"type":"string"},"message":{"type":"string","maxLength":1000},"context":{"type":"object"},"retryable":{"type":"boolean"},"retryAfterMs":{"type":"integer","minimum":1}},"required":["code","message","retryable"]},"metadata":{"type":"object","properties":{"durationMs":{"type":"integer","minimum":0},"cached":{"type":"boolean"},"truncated":{"type":"boolean"}},"required":["durationMs"]}},"required":["success","metadata"]})";
}

std::string describeTool(const Tool &tool, const Catalogue &catalogue) {
  const bool listing = &tool == &listSkillsTool;
  std::string description(tool.description);
  if (listing && !catalogue.entries().empty()) {
    const std::string_view lead = " Skills:";
    description += lead;
    description += shortCatalogue(catalogue, catalogueBytes - description.size());
  }
  std::string out = R"({"name":")" + std::string(tool.name) + R"(","title":")" +
                    std::string(tool.title) + R"(","description":)";
  appendJsonString(out, description);
  out += R"(,"inputSchema":)" + std::string(tool.inputSchema);
  out += R"(,"outputSchema":)" + outputSchema(tool.dataSchema);
  out += R"(,"annotations":{"title":")" + std::string(tool.title) + R"(","readOnlyHint":)";
  out += tool.readOnly ? "true" : "false";
  out += R"(,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false})";
  if (listing) out += R"(,"_meta":{"anthropic/alwaysLoad":true})";
  return out + "}";
}

// Every tool there is: ours first, then the skills, then those of plugins, each in a fixed order.
struct AllTools {
  std::vector<const Tool *> ours;
  std::vector<const CatalogueEntry *> skills;
  std::vector<const Offer *> offered;

  AllTools(const Services &services, const Catalogue &catalogue, const OfferSet &offers) {
    const bool skillsToo = services.settings.expose != Expose::Gateway;
    for (const Offer &offer : offers.tools())
      if (!skillsToo || findSkillTool(catalogue, offer.key) == nullptr) offered.push_back(&offer);
    if (services.settings.expose != Expose::Skills)
      ours.assign(allTools().begin(), allTools().end());
    if (services.settings.expose == Expose::Gateway) return;
    for (const CatalogueEntry &entry : catalogue.entries())
      if (entry.skill->byTools) skills.push_back(&entry);
  }
  std::size_t size() const noexcept { return ours.size() + skills.size() + offered.size(); }
  std::string describe(std::size_t i, const Catalogue &catalogue) const {
    if (i < ours.size()) return describeTool(*ours[i], catalogue);
    i -= ours.size();
    return i < skills.size() ? describeSkillTool(*skills[i]) : offered[i - skills.size()]->text;
  }
};

void callSkillTool(const CallPointer &call, const CatalogueEntry &entry, const Json &arguments) {
  const ToolCall tool(call, arguments);
  Arguments reader(arguments, {"force_reload"});
  LoadRequest request;
  request.force = reader.flag("force_reload", false);
  if (!reader.good()) return tool.fail(reader.failure());
  loadSkill(tool, entry, request);
}

const Json &argumentsOf(const CallPointer &call) {
  static const Json none = Json::object();
  const auto found = call->params().find("arguments");
  return found == call->params().end() || found->is_null() ? none : *found;
}

} // namespace

void methods::listTools(const CallPointer &call) {
  const auto cursor = cursorOf(call);
  if (!cursor) return;
  const Services &services = call->services();
  const auto catalogue = call->catalogue();
  const auto offers = call->offers();
  const std::uint64_t generation = generationOf(*catalogue, *offers);
  const AllTools all(services, *catalogue, *offers);
  const Result<Page> page = pageAt(generation, *cursor, services.settings.pageSize, all.size());
  if (!page) return call->fail(page.failure());
  const auto text = call->services().listings.get(catalogue, pageKey("tools", *offers, *page), [&] {
    std::string out = R"("tools":[)";
    for (std::size_t i = page->begin; i < page->end; ++i) {
      if (i != page->begin) out += ',';
      out += all.describe(i, *catalogue);
    }
    return out + "]" + nextCursor(generation, *page);
  });
  Fragments out;
  out.append(text);
  call->result(out, cachedBriefly);
}

void methods::callTool(const CallPointer &call) {
  const auto name = requiredText(call, "name");
  if (!name) return;
  call->about(*name);
  const Services &services = call->services();
  const Expose expose = services.settings.expose;
  const Tool *const tool = expose == Expose::Skills ? nullptr : findTool(*name);
  const auto catalogue = call->catalogue();
  const CatalogueEntry *const skill =
      tool != nullptr || expose == Expose::Gateway ? nullptr : findSkillTool(*catalogue, *name);
  const auto offers = call->offers();
  const Offer *const offered = tool != nullptr || skill != nullptr ? nullptr : offers->tool(*name);
  if (tool == nullptr && skill == nullptr && offered == nullptr)
    return call->fail({Fault::InvalidParams, "Unknown tool: " + name->substr(0, 100)});
  const Json &arguments = argumentsOf(call);
  if (!arguments.is_object())
    return call->fail({Fault::InvalidParams, "params.arguments must be an object"});
  // What a plugin's tool does only its author knows: unless it merely looks something up, it may
  // take as long as work does.
  const ToolCategory category = tool != nullptr                            ? tool->category
                                : offered != nullptr && !offered->readOnly ? ToolCategory::Execution
                                                                           : ToolCategory::Query;
  call->allow(services.settings.deadlines.of(*name, category));
  if (refusedByGuards(call, *name, arguments)) return;
  if (tool != nullptr)
    tool->run(ToolCall(call, arguments));
  else if (offered != nullptr)
    callOfferedTool(call, *offered, arguments);
  else
    callSkillTool(call, *skill, arguments);
}

} // namespace skillhost
