// SPDX-License-Identifier: Apache-2.0
// The older dialect has list_tools and call_tool: every skill is a tool, and errors have the
// numbers of HTTP.
#include "base/fault.hpp"
#include "ground/json_text.hpp"
#include "load.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "skill_texts.hpp"
#include "skill_tools.hpp"

namespace skillhost {
namespace {

constexpr int badRequest = 400, notFound = 404, internalError = 500, unavailable = 503;

int olderCode(Fault fault) {
  const int http = describe(fault).http;
  return http == notFound || http == unavailable ? http : internalError;
}

} // namespace

void methods::olderListTools(const CallPointer &call) {
  const auto catalogue = call->catalogue();
  if (catalogue->entries().empty() && catalogue->loading().isInProgress)
    return call->failWith(Fault::Unavailable, unavailable,
                          "The skills are still loading: try again in a moment");
  const auto text = call->services().listings.get(catalogue, "older tools", [&] {
    std::string out = R"("tools":[)";
    bool first = true;
    for (const CatalogueEntry &entry : catalogue->entries()) {
      if (!entry.isForModels()) continue;
      out += first ? "" : ",";
      out += describeSkillTool(entry);
      first = false;
    }
    return out + "]";
  });
  Fragments out;
  out.append(text);
  call->result(std::move(out));
}

void methods::olderCallTool(const CallPointer &call) {
  const auto name = call->params().find("name");
  if (name == call->params().end() || !name->is_string())
    return call->failWith(Fault::InvalidParams, badRequest, "params.name must be a string");
  const std::string skillName = name->get<std::string>();
  call->addToLogLine(skillName);
  const auto catalogue = call->catalogue();
  const CatalogueEntry *entry = catalogue->byName(skillName);
  if (entry == nullptr) entry = findSkillTool(*catalogue, skillName);
  if (entry == nullptr && catalogue->loading().isInProgress)
    return call->failWith(Fault::Unavailable, unavailable,
                          "The skills are still loading: try again in a moment");
  if (entry == nullptr)
    if (const auto unread = unreadableSkill(*catalogue, skillName))
      return call->failWith(unread->fault, internalError,
                            "Internal server error: " + unread->message);
  if (entry == nullptr)
    return call->failWith(Fault::NotFound, notFound,
                          "Skill not found: " + skillName.substr(0, 200));
  call->services().reader.load(
      entry->skill, remoteReach(call->services(), catalogue), [&call] { return call->options(); },
      [call](const Result<LoadedContent> &content) {
        if (!content)
          return call->failWith(content.failure().fault, olderCode(content.failure().fault),
                                "Internal server error: " + content.failure().message);
        Fragments out(R"("content":)");
        out.append(content->rendered->documentAlone()); // the form these clients know
        call->result(std::move(out));
      },
      [&] { return servedTo(*call, *entry->skill); });
}

} // namespace skillhost
