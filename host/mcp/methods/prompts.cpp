// SPDX-License-Identifier: Apache-2.0
// prompts/*: every skill is a prompt, and plugins have theirs.
#include "ground/json_text.hpp"
#include "list_order.hpp"
#include "listed_texts.hpp"
#include "load.hpp"
#include "loading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "plugin_calls.hpp"
#include "skill_texts.hpp"
#include "skill_tools.hpp"
#include "skillmd/prompt_arguments.hpp"

#include <algorithm>

namespace skillhost {
namespace {

// Returns the skills, then the prompts of plugins whose names no skill has.
ListOrder promptsOf(const Catalogue &catalogue, const PluginToolSet &pluginTools) {
  ListOrder all;
  for (const CatalogueEntry &entry : catalogue.entries())
    if (entry.isForUsers()) all.skills.push_back(&entry);
  for (const PluginTool &pluginTool : pluginTools.prompts())
    if (catalogue.byName(pluginTool.key) == nullptr) all.fromPlugin.push_back(&pluginTool);
  return all;
}

// The author's description of the arguments, and the names that the author gives to single ones.
struct DeclaredArguments {
  std::string hint = "What the skill is to be applied to.";
  std::vector<std::string> names;
};

bool isArgumentName(const std::string &name) {
  constexpr std::size_t longest = 64;
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= longest && (name[0] < '0' || name[0] > '9') &&
         name != "arguments" && std::all_of(name.begin(), name.end(), plain);
}

DeclaredArguments declaredArguments(const Skill &skill) {
  constexpr std::size_t maxNames = 20;
  DeclaredArguments declared;
  const std::string &text = skill.fields.frontMatter;
  // Few front matters have one; the others need not be parsed.
  if (text.find(R"("argument-hint")") == std::string::npos &&
      text.find(R"("arguments")") == std::string::npos)
    return declared;
  const Json fields = Json::parse(text);
  const auto hint = fields.find("argument-hint");
  if (hint != fields.end() && hint->is_string()) declared.hint = hint->get<std::string>();
  const auto names = fields.find("arguments");
  if (names == fields.end()) return declared;
  std::vector<std::string> all;
  if (names->is_string()) all = wordsOfArguments(names->get_ref<const std::string &>());
  if (names->is_array())
    for (const Json &name : *names)
      all.push_back(name.is_string() ? name.get<std::string>() : std::string());
  // Names stand for positions: without one of them the others would mean something else.
  if (all.size() <= maxNames && std::all_of(all.begin(), all.end(), &isArgumentName))
    declared.names = std::move(all);
  return declared;
}

// Returns nothing if the call has failed.
std::optional<PromptArguments> promptArguments(const CallPointer &call,
                                               const std::vector<std::string> &names) {
  PromptArguments arguments;
  const auto given = call->params().find("arguments");
  const bool none = given == call->params().end() || given->is_null();
  if (!none && !given->is_object()) {
    call->fail({Fault::InvalidParams, "params.arguments must be an object"});
    return std::nullopt;
  }
  std::vector<std::string> words(names.size());
  std::size_t known = 0; // number of words up to the last given one
  if (!none) {
    for (const auto &[name, value] : given->items()) {
      const auto place = std::find(names.begin(), names.end(), name);
      if ((name != "arguments" && place == names.end()) || !value.is_string()) {
        std::string takes = "arguments";
        for (const std::string &one : names) takes += ", " + one;
        const std::string where = "params.arguments." + name.substr(0, 100);
        call->fail({Fault::InvalidParams, name == "arguments" || place != names.end()
                                              ? where + " must be a string"
                                              : where + ": unknown; a prompt takes " + takes});
        return std::nullopt;
      }
      if (name == "arguments") {
        arguments.text = value.get<std::string>();
        continue;
      }
      const auto at = static_cast<std::size_t>(place - names.begin());
      words[at] = value.get<std::string>();
      known = std::max(known, at + 1);
    }
  }
  if (known != 0 && !arguments.text.empty()) {
    call->fail({Fault::InvalidParams, "params.arguments: give either `arguments` or the others"});
    return std::nullopt;
  }
  words.resize(known);
  if (known == 0)
    words = wordsOfArguments(arguments.text);
  else
    arguments.text = textOfWords(words);
  arguments.words = std::move(words);
  for (std::size_t i = 0; i < names.size(); ++i)
    arguments.named.emplace_back(names[i],
                                 i < arguments.words.size() ? arguments.words[i] : std::string());
  return arguments;
}

void answerPrompt(const CallPointer &call, const Skill &skill, const RenderedSkill &rendered,
                  const PromptArguments &arguments) {
  const std::string text = rendered.plainText();
  const Result<std::string> filled =
      fillArguments(std::string_view(text).substr(rendered.headingBytes), arguments,
                    call->services().settings.limits.responseBytes);
  if (!filled)
    return call->fail({filled.failure().fault, "params.arguments: " + filled.failure().message});
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
  const DeclaredArguments declared = declaredArguments(*entry.skill);
  Json &arguments = prompt["arguments"] = Json::array();
  const auto add = [&](const std::string &name) {
    arguments.push_back({{"name", name}, {"description", declared.hint}, {"required", false}});
  };
  std::for_each(declared.names.begin(), declared.names.end(), add);
  if (declared.names.empty()) add("arguments");
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
          out +=
              i < skills ? describePrompt(*all.skills[i]) : all.fromPlugin[i - skills]->listEntry;
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
  call->addToLogLine(*name);
  const auto catalogue = call->catalogue();
  const CatalogueEntry *const entry = catalogue->byName(*name);
  if (entry != nullptr && !entry->isForUsers())
    return call->fail({Fault::InvalidParams, "The skill " + entry->name +
                                                 " is not a prompt: its author allows only models "
                                                 "to choose it (user-invocable: false)"});
  if (entry == nullptr)
    if (const auto pluginTools = call->pluginTools();
        const PluginTool *const fromPlugin = pluginTools->prompt(*name))
      return getPluginPrompt(call, *fromPlugin);
  if (entry == nullptr && failWhileLoading(call, *catalogue)) return;
  if (entry == nullptr)
    return call->fail({Fault::InvalidParams, "Unknown prompt: " + name->substr(0, 200)});
  const auto arguments = promptArguments(call, declaredArguments(*entry->skill).names);
  if (!arguments) return;
  call->uses({.kind = UseKind::Load, .skill = entry->skill});
  call->services().reader.load(
      entry->skill, remoteReach(call->services(), catalogue), [&call] { return call->options(); },
      [call, skill = entry->skill, arguments = *arguments](const Result<LoadedContent> &content) {
        if (!content) return call->fail(content.failure());
        call->uses({.kind = UseKind::Load,
                    .skill = skill,
                    .digest = {content->rendered, &content->rendered->digest}});
        answerPrompt(call, *skill, *content->rendered, arguments);
      },
      [&] { return servedTo(*call, *entry->skill); });
}

} // namespace skillhost
