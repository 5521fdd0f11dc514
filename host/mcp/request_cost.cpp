// SPDX-License-Identifier: Apache-2.0
#include "request_cost.hpp"

#include "mcp/services.hpp"
#include "mcp/tool.hpp"

#include <cstdint>
#include <string_view>

namespace skillhost::cost {
namespace {

constexpr std::size_t fewEntries = 40; // of a list: each may take more than a kilobyte
constexpr std::uint64_t smallFile = 64U << 10U;
constexpr std::uint64_t smallMarkdown = 16U << 10U; // its paths may have to be rewritten

// Returns an object's member that is text; empty if there is none.
std::string_view textIn(const Json &object, const char *name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found == object.end() || !found->is_string() ? std::string_view{}
                                                      : found->get_ref<const std::string &>();
}

const Json &argumentsIn(const Json &params) {
  static const Json none = Json::object();
  const auto found = params.find("arguments");
  return found == params.end() || !found->is_object() ? none : *found;
}

// An unknown name is compared with all existing ones.
bool isLongToLoad(const CatalogueEntry *entry) {
  return entry == nullptr || entry->skill->entryBytes > smallFile;
}

bool isLongToRead(const Catalogue &catalogue, const Json &arguments) {
  const CatalogueEntry *const entry = catalogue.byName(textIn(arguments, "skill_name"));
  if (entry == nullptr) return true;
  const Skill &skill = *entry->skill;
  // A folder, a pattern, or a path in another form is searched for among all files.
  const std::size_t file = skill.fileAt(textIn(arguments, "document_path"));
  if (file == Skill::npos) return true;
  const bool isRewritten = SkillReader::isRewritten(skill.filePaths[file]);
  return skill.files[file].length > (isRewritten ? smallMarkdown : smallFile);
}

} // namespace

bool isShort(const Call &) { return false; }
bool isLong(const Call &) { return true; }

bool isLongSkillList(const Call &call) { return call.catalogue()->entries().size() > fewEntries; }

bool isLongToolList(const Call &call) {
  if (call.services().settings.expose != Expose::Gateway && isLongSkillList(call)) return true;
  return call.pluginTools()->tools().size() > fewEntries;
}

bool isLongOfferList(const Call &call) {
  return call.pluginTools()->templates().size() > fewEntries;
}

bool isLongResource(const Call &call) {
  const std::string_view uri = textIn(call.params(), "uri");
  if (call.services().resources.find(uri) != nullptr) return true;
  const FileReference found = call.catalogue()->file(uri);
  return found.entry != nullptr && found.entry->skill->files[found.file].length > smallFile;
}

bool isLongSkill(const Call &call) {
  const std::string_view uri = textIn(call.params(), "uri");
  const auto catalogue = call.catalogue();
  const CatalogueEntry *entry = catalogue->byUri(uri);
  if (entry == nullptr) entry = catalogue->folder(uri).entry;
  return entry != nullptr && entry->skill->files.size() > fewEntries;
}

bool isLongToolCall(const Call &call) {
  const std::string_view name = textIn(call.params(), "name");
  const Json &arguments = argumentsIn(call.params());
  const Tool *const tool = call.services().tools.find(name);
  const auto catalogue = call.catalogue();
  if (tool == nullptr) {
    if (call.services().settings.expose == Expose::Gateway) return false;
    const CatalogueEntry *const skill = catalogue->byName(name);
    // A name with a dot is compared with those of all skills.
    return skill != nullptr ? isLongToLoad(skill) : name.find('.') != std::string_view::npos;
  }
  if (tool == &loadSkillTool)
    return isLongToLoad(catalogue->byName(textIn(arguments, "skill_name")));
  if (tool == &readSkillDocumentTool) return isLongToRead(*catalogue, arguments);
  // Without arguments its answer is cached, and is the same for all callers with the same view.
  if (tool == &listSkillsTool)
    return !arguments.empty() && (isLongSkillList(call) || arguments.contains("detail"));
  if (tool == &unloadSkillTool)
    return catalogue->byName(textIn(arguments, "skill_name")) == nullptr;
  return tool != &findHelpfulSkillsTool; // the search runs on the plugin's threads
}

bool isLongOlderToolCall(const Call &call) {
  return isLongToLoad(call.catalogue()->byName(textIn(call.params(), "name")));
}

} // namespace skillhost::cost
