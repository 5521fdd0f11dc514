// SPDX-License-Identifier: Apache-2.0
#include "request_cost.hpp"

#include "ground/json_member.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace skillhost::cost {
namespace {

constexpr std::size_t fewEntries = 40; // of a list: each may take more than a kilobyte
constexpr std::size_t longAnswer = 64U << 10U;
constexpr std::uint64_t smallFile = 64U << 10U;
constexpr std::uint64_t smallMarkdown = 16U << 10U; // its paths may have to be rewritten

// An unknown name is compared with all existing ones.
bool isLongToLoad(const CatalogueEntry *entry) {
  return entry == nullptr || entry->skill->entryBytes > smallFile;
}

bool isLongToRead(const Catalogue &catalogue, const Json &arguments) {
  const CatalogueEntry *const entry = catalogue.byName(memberText(arguments, "skill_name"));
  if (entry == nullptr) return true;
  const Skill &skill = *entry->skill;
  // A folder, a pattern, or a path in another form is searched for among all files.
  const std::size_t file = skill.fileAt(memberText(arguments, "document_path"));
  if (file == Skill::npos) return true;
  const bool isRewritten = SkillReader::isRewritten(skill.filePaths[file]);
  return skill.files[file].length > (isRewritten ? smallMarkdown : smallFile);
}

// Without arguments the answer is cached, and is the same for all callers with the same view.
bool isLongSkillsPage(const Call &call, const Json &arguments) {
  if (!arguments.is_object() || arguments.empty()) return false;
  if (!isLongSkillList(call) && !arguments.contains("detail")) return false;
  const std::optional<std::size_t> size = keptListSize(call, arguments);
  return !size || *size > longAnswer;
}

} // namespace

bool isNeverLong(const Call &) { return false; }
bool isAlwaysLong(const Call &) { return true; }

bool isLongSkillList(const Call &call) { return call.catalogue()->entries().size() > fewEntries; }

bool isLongToolList(const Call &call) {
  if (call.services().settings.expose != Expose::Gateway && isLongSkillList(call)) return true;
  return call.pluginTools()->tools().size() > fewEntries;
}

bool isLongTemplateList(const Call &call) {
  return call.pluginTools()->templates().size() > fewEntries;
}

bool isLongResource(const Call &call) {
  const std::string_view uri = memberText(call.params(), "uri");
  if (call.services().resources.find(uri) != nullptr) return true;
  const FileReference found = call.catalogue()->file(uri);
  return found.entry != nullptr && found.entry->skill->files[found.file].length > smallFile;
}

bool isLongSkill(const Call &call) {
  const std::string_view uri = memberText(call.params(), "uri");
  const auto catalogue = call.catalogue();
  const CatalogueEntry *entry = catalogue->byUri(uri);
  if (entry == nullptr) entry = catalogue->folder(uri).entry;
  return entry != nullptr && entry->skill->files.size() > fewEntries;
}

bool isLongToolCall(const Call &call) {
  const std::string_view name = memberText(call.params(), "name");
  const Json &arguments = memberOf(call.params(), "arguments");
  const Tool *const tool = call.services().tools.find(name);
  const auto catalogue = call.catalogue();
  if (tool == nullptr) {
    if (call.services().settings.expose == Expose::Gateway) return false;
    const CatalogueEntry *const skill = catalogue->byName(name);
    // A name with a dot is compared with those of all skills.
    return skill != nullptr ? isLongToLoad(skill) : name.find('.') != std::string_view::npos;
  }
  if (tool == &loadSkillTool)
    return isLongToLoad(catalogue->byName(memberText(arguments, "skill_name")));
  if (tool == &readSkillDocumentTool) return isLongToRead(*catalogue, arguments);
  if (tool == &listSkillsTool) return isLongSkillsPage(call, arguments);
  if (tool == &unloadSkillTool)
    return catalogue->byName(memberText(arguments, "skill_name")) == nullptr;
  return tool != &findHelpfulSkillsTool; // the search runs on the plugin's threads
}

bool isLongOlderToolCall(const Call &call) {
  return isLongToLoad(call.catalogue()->byName(memberText(call.params(), "name")));
}

} // namespace skillhost::cost
