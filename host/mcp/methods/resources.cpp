// SPDX-License-Identifier: Apache-2.0
// resources/* serve every file of every skill, byte for byte, the resources of the server itself
// (skillhost://...), and those of plugins.
#include "ground/base64.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"
#include "list_order.hpp"
#include "listed_texts.hpp"
#include "loading.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/own_resources.hpp"
#include "mcp/services.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "plugin_calls.hpp"
#include "skill_texts.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

constexpr std::size_t largestFile = 64U << 20U;
// For resources/list, if a client asks for more entries than others get: a browser can read this
// many without a noticeable pause.
constexpr std::size_t maxResources = 2'000;
constexpr std::size_t longestPage = 1U << 20U; // bytes, unless one entry is longer

// Returns the skills, then the server's own resources, then those of plugins.
ListOrder resourcesOf(const Catalogue &catalogue, const OwnResources &own,
                      const PluginToolSet &pluginTools) {
  ListOrder all;
  all.skills.reserve(catalogue.entries().size());
  for (const CatalogueEntry &entry : catalogue.entries()) all.skills.push_back(&entry);
  all.middle = own.listed().size();
  for (const PluginTool &pluginTool : pluginTools.resources())
    all.fromPlugin.push_back(&pluginTool);
  return all;
}

// Ends the page early if it would become too long.
std::string pageOfResources(const ListOrder &all, const OwnResources &own, const ListKeys &keys,
                            Page page) {
  const std::size_t skills = all.skills.size(), ours = skills + all.middle;
  std::string out = R"("resources":[)";
  for (std::size_t i = page.begin; i < page.end; ++i) {
    const std::string entry = i < skills ? describeResource(*all.skills[i])
                              : i < ours ? own.listed()[i - skills].listed
                                         : all.fromPlugin[i - ours]->listEntry;
    if (i != page.begin && out.size() + entry.size() > longestPage) {
      page.end = i;
      page.more = true;
      break;
    }
    if (i != page.begin) out += ',';
    out += entry;
  }
  return out + "]" + nextCursor(keys, page);
}

void answerRead(const CallPointer &call, const std::string &uri, std::string_view path,
                const std::string &bytes) {
  std::string out = R"("contents":[{"uri":)";
  appendJsonString(out, uri);
  std::string_view mime = mimeType(path);
  const bool text = isUtf8(bytes);
  if (text && mime == "application/octet-stream") mime = "text/plain";
  out += R"(,"mimeType":")" + std::string(mime) + '"';
  if (text) {
    out += R"(,"text":)";
    appendJsonString(out, bytes);
  } else {
    out += R"(,"blob":")" + encodeBase64(bytes) + '"';
  }
  call->result(Fragments(out + "}]"), cachedBriefly);
}

} // namespace

std::string describeResource(const CatalogueEntry &entry) {
  const Skill &skill = *entry.skill;
  Json resource{{"uri", skill.uri + "/SKILL.md"}, {"name", entry.name}};
  if (!skill.fields.title.empty()) resource["title"] = skill.fields.title;
  resource["description"] = listedDescription(skill);
  resource["mimeType"] = "text/markdown";
  resource["size"] = skill.entryBytes;
  if (entry.isForModels() != entry.isForUsers())
    resource["annotations"] = {{"audience", {entry.isForModels() ? "assistant" : "user"}}};
  if (!skill.fields.category.empty())
    resource["_meta"] = {{"org.skillhost/category", skill.fields.category}};
  return resource.dump();
}

void methods::listResources(const CallPointer &call) {
  const auto cursor = cursorOf(call);
  if (!cursor) return;
  const auto catalogue = call->catalogue();
  const auto pluginTools = call->pluginTools();
  const OwnResources &own = call->services().resources;
  const ListOrder all = resourcesOf(*catalogue, own, *pluginTools);
  const ListKeys keys = all.keys(*catalogue);
  const std::size_t usual = call->services().settings.pageSize;
  const auto size = pageSizeOf(call, usual, maxResources);
  if (!size) return;
  const Result<Page> page = pageAt(keys, *cursor, *size);
  if (!page) return call->fail(page.failure());
  const auto make = [&] { return pageOfResources(all, own, keys, *page); };
  // Larger pages are not cached, because many of them would take much memory.
  const Listings::Text text = *size == usual
                                  ? call->services().listings.get(
                                        catalogue, pageKey("resources", *pluginTools, *page), make)
                                  : std::make_shared<const std::string>(make());
  Fragments out;
  out.append(text);
  answerList(call, out, *catalogue);
}

void methods::listResourceTemplates(const CallPointer &call) {
  const auto cursor = cursorOf(call);
  if (!cursor) return;
  if (!cursor->empty()) return call->fail({Fault::InvalidParams, "Invalid cursor"});
  std::string listed;
  const auto pluginTools = call->pluginTools();
  for (const PluginTool &one : pluginTools->templates()) listed += "," + one.listEntry;
  answerList(
      call,
      Fragments(
          R"("resourceTemplates":[{"uriTemplate":")" + std::string(skillTemplate) +
          R"(","name":"skill-file","title":"A file of a skill","description":"source: the name of a source of skills. path: the folder of the skill, then the file in it, such as pdf/SKILL.md or pdf/references/forms.md."})" +
          listed + "]"),
      *call->catalogue(),
      call->services().settings.toolPlugins ? cachedBriefly : cachedAsLongAsProgram);
}

void methods::readResource(const CallPointer &call) {
  const auto uri = requiredText(call, "uri");
  if (!uri) return;
  call->addToLogLine(*uri);
  if (const OwnResource *const own = call->services().resources.find(*uri))
    return own->read(call, *uri);
  const auto catalogue = call->catalogue();
  const FileReference found = catalogue->file(*uri);
  if (found.entry == nullptr) {
    const auto pluginTools = call->pluginTools();
    const PluginTool *const fromPlugin = pluginTools->resource(*uri);
    if (fromPlugin != nullptr) return readPluginResource(call, *fromPlugin, *uri);
    if (failWhileLoading(call, *catalogue)) return;
    return call->failResource(*uri);
  }
  const std::shared_ptr<const Skill> skill = found.entry->skill;
  call->uses({.kind = UseKind::Read, .skill = skill});
  call->services().reader.read(
      skill, {found.file}, largestFile, call->options(),
      [call, uri = *uri, skill, file = found.file](const DocumentBytes &read) {
        const auto &bytes = read.each.front();
        if (!bytes) return call->fail(bytes.failure());
        answerRead(call, uri, skill->filePaths[file], **bytes);
      });
}

void methods::subscribeResource(const CallPointer &call) {
  const auto uri = requiredText(call, "uri");
  if (!uri) return;
  call->addToLogLine(*uri);
  const auto catalogue = call->catalogue();
  const OwnResource *const own = call->services().resources.find(*uri);
  const bool tellsOfChanges = own != nullptr && own->onChange;
  const auto pluginTools = call->pluginTools();
  const bool isListed = tellsOfChanges || catalogue->file(*uri).entry != nullptr;
  const PluginTool *const fromPlugin = isListed ? nullptr : pluginTools->resource(*uri);
  if (!isListed && fromPlugin == nullptr) {
    if (failWhileLoading(call, *catalogue)) return;
    return call->failResource(*uri);
  }
  permitPluginEntry(call, fromPlugin == nullptr ? Permission::Read : fromPlugin->need, [&] {
    if (uri->size() > maxSubscribedBytes)
      return call->fail({Fault::InvalidParams,
                         "uri has more than " + std::to_string(maxSubscribedBytes) + " bytes"});
    if (!call->session().subscribe(*uri))
      return call->fail({Fault::RateLimited, "too many subscriptions"});
    call->result(Fragments{});
  });
}

void methods::unsubscribeResource(const CallPointer &call) {
  const auto uri = requiredText(call, "uri");
  if (!uri) return;
  call->session().unsubscribe(*uri);
  call->result(Fragments{});
}

} // namespace skillhost
