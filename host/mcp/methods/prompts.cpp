// SPDX-License-Identifier: Apache-2.0
// prompts/*: every skill is a prompt, and plugins have theirs.
#include "ground/json_text.hpp"
#include "list_order.hpp"
#include "listed_texts.hpp"
#include "loading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "plugin_calls.hpp"
#include "skill_texts.hpp"
#include "skill_tools.hpp"

namespace skillhost {
namespace {

// The skills, then those of plugins whose name is no skill's.
ListOrder promptsOf(const Catalogue &catalogue, const PluginToolSet &pluginTools) {
  ListOrder all;
  for (const CatalogueEntry &entry : catalogue.entries()) all.skills.push_back(&entry);
  for (const PluginTool &pluginTool : pluginTools.prompts())
    if (catalogue.byName(pluginTool.key) == nullptr) all.fromPlugin.push_back(&pluginTool);
  return all;
}

// What the author says of the arguments, if anything.
std::string argumentHint(const Skill &skill) {
  // Few have one: the others need not be parsed.
  if (skill.fields.frontMatter.find(R"("argument-hint")") != std::string::npos) {
    const Json fields = Json::parse(skill.fields.frontMatter);
    const auto hint = fields.find("argument-hint");
    if (hint != fields.end() && hint->is_string()) return hint->get<std::string>();
  }
  return "What the skill is to be applied to.";
}

// The one argument a prompt takes; nothing when the call has failed.
std::optional<std::string> promptArguments(const CallPointer &call) {
  const auto given = call->params().find("arguments");
  if (given == call->params().end() || given->is_null()) return std::string();
  if (!given->is_object()) {
    call->fail({Fault::InvalidParams, "params.arguments must be an object"});
    return std::nullopt;
  }
  std::string text;
  for (const auto &[name, value] : given->items()) {
    if (name != "arguments" || !value.is_string()) {
      call->fail({Fault::InvalidParams, name == "arguments"
                                            ? "params.arguments.arguments must be a string"
                                            : "params.arguments." + name.substr(0, 100) +
                                                  ": unknown; a prompt takes arguments"});
      return std::nullopt;
    }
    text = value.get<std::string>();
  }
  return text;
}

void answerPrompt(const CallPointer &call, const Skill &skill, const RenderedSkill &rendered,
                  const std::string &arguments) {
  // Without the front matter, which is for programs.
  std::string text = rendered.plainText();
  text.erase(rendered.headingBytes, rendered.bodyAt);
  const Result<std::string> filled =
      fillArguments(std::string_view(text).substr(rendered.headingBytes), arguments,
                    call->services().settings.limits.responseBytes);
  if (!filled)
    return call->fail(
        {filled.failure().fault, "params.arguments.arguments: " + filled.failure().message});
  std::string out = R"("description":)";
  appendJsonString(out, listedDescription(skill));
  out += R"(,"messages":[{"role":"user","content":{"type":"text","text":)";
  appendJsonString(out, text.substr(0, rendered.headingBytes) + *filled);
  call->result(Fragments(out + "}}]"));
}

} // namespace

std::string describePrompt(const CatalogueEntry &entry) {
  Json prompt{{"name", entry.name}};
  if (!entry.skill->fields.title.empty()) prompt["title"] = entry.skill->fields.title;
  prompt["description"] = listedDescription(*entry.skill);
  prompt["arguments"] = Json::array(
      {{{"name", "arguments"}, {"description", argumentHint(*entry.skill)}, {"required", false}}});
  return prompt.dump();
}

void methods::listPrompts(const CallPointer &call) {
  const auto cursor = cursorOf(call);
  if (!cursor) return;
  const auto catalogue = call->catalogue();
  const auto pluginTools = call->pluginTools();
  const ListOrder all = promptsOf(*catalogue, *pluginTools);
  const ListKeys keys = all.keys(*catalogue);
  const Result<Page> page = pageAt(keys, *cursor, call->services().settings.pageSize);
  if (!page) return call->fail(page.failure());
  const auto text =
      call->services().listings.get(catalogue, pageKey("prompts", *pluginTools, *page), [&] {
        std::string out = R"("prompts":[)";
        for (std::size_t i = page->begin; i < page->end; ++i) {
          if (i != page->begin) out += ',';
          const std::size_t skills = all.skills.size();
          out += i < skills ? describePrompt(*all.skills[i]) : all.fromPlugin[i - skills]->text;
        }
        return out + "]" + nextCursor(keys, *page);
      });
  Fragments out;
  out.append(text);
  answerList(call, out, *catalogue);
}

void methods::getPrompt(const CallPointer &call) {
  const auto name = requiredText(call, "name");
  if (!name) return;
  call->about(*name);
  const auto catalogue = call->catalogue();
  const CatalogueEntry *const entry = catalogue->byName(*name);
  if (entry == nullptr)
    if (const auto pluginTools = call->pluginTools();
        const PluginTool *const fromPlugin = pluginTools->prompt(*name))
      return getPluginPrompt(call, *fromPlugin);
  if (entry == nullptr && failWhileLoading(call, *catalogue)) return;
  const auto arguments = promptArguments(call);
  if (!arguments) return;
  if (entry == nullptr)
    return call->fail({Fault::InvalidParams, "Unknown prompt: " + name->substr(0, 200)});
  call->uses({.kind = UseKind::Load, .skill = entry->skill});
  call->services().reader.load(
      entry->skill, remoteReach(call->services(), catalogue), [&call] { return call->options(); },
      [call, skill = entry->skill, arguments = *arguments](const Result<LoadedContent> &content) {
        if (!content) return call->fail(content.failure());
        call->uses({.kind = UseKind::Load,
                    .skill = skill,
                    .digest = {content->rendered, &content->rendered->digest}});
        answerPrompt(call, *skill, *content->rendered, arguments);
      });
}

} // namespace skillhost
