// SPDX-License-Identifier: Apache-2.0
// prompts/*: every skill is a prompt, and plugins have theirs.
#include "base/json_text.hpp"
#include "client_session.hpp"
#include "methods.hpp"
#include "offered_calls.hpp"
#include "params.hpp"
#include "services.hpp"
#include "skill_content.hpp"
#include "skills/reader_content.hpp"

namespace skillhost {
namespace {

std::vector<const CatalogueEntry *> promptsOf(const Catalogue &catalogue) {
  std::vector<const CatalogueEntry *> all;
  for (const CatalogueEntry &entry : catalogue.entries())
    if (entry.skill->byTools) all.push_back(&entry);
  return all;
}

// Those of plugins whose name is no skill's.
std::vector<const Offer *> offeredOf(const Catalogue &catalogue, const OfferSet &offers) {
  std::vector<const Offer *> all;
  for (const Offer &offer : offers.prompts())
    if (catalogue.byName(offer.key) == nullptr) all.push_back(&offer);
  return all;
}

// What the author says of the arguments, if anything.
std::string argumentHint(const Skill &skill) {
  const auto hint = skill.fields.frontMatter.find("argument-hint");
  if (hint != skill.fields.frontMatter.end() && hint->is_string()) return hint->get<std::string>();
  return "What the skill is to be applied to.";
}

std::string describePrompt(const CatalogueEntry &entry) {
  Json prompt{{"name", entry.name}};
  if (!entry.skill->fields.title.empty()) prompt["title"] = entry.skill->fields.title;
  prompt["description"] = entry.skill->fields.description;
  prompt["arguments"] = Json::array(
      {{{"name", "arguments"}, {"description", argumentHint(*entry.skill)}, {"required", false}}});
  return prompt.dump();
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

void answerPrompt(const CallPointer &call, const std::shared_ptr<const Skill> &skill,
                  const PreparedContent &prepared, const std::string &arguments) {
  // The body alone: the front matter is for programs.
  const std::string document = Json::parse(*prepared.jsonText).get<std::string>();
  const std::string_view body =
      std::string_view(document).substr(std::min(skill->bodyOffset, document.size()));
  std::string out = R"("description":)";
  appendJsonString(out, skill->fields.description);
  out += R"(,"messages":[{"role":"user","content":{"type":"text","text":)";
  appendJsonString(out, fillArguments(body, arguments));
  call->result(Fragments(out + "}}]"));
}

} // namespace

void methods::listPrompts(const CallPointer &call) {
  const auto cursor = cursorOf(call);
  if (!cursor) return;
  const auto catalogue = call->catalogue();
  const auto offers = call->offers();
  const std::uint64_t generation = generationOf(*catalogue, *offers);
  const auto prompts = promptsOf(*catalogue);
  const auto offered = offeredOf(*catalogue, *offers);
  const Result<Page> page = pageAt(generation, *cursor, call->services().settings.pageSize,
                                   prompts.size() + offered.size());
  if (!page) return call->fail(page.failure());
  const auto text =
      call->services().listings.get(catalogue, pageKey("prompts", *offers, *page), [&] {
        std::string out = R"("prompts":[)";
        for (std::size_t i = page->begin; i < page->end; ++i) {
          if (i != page->begin) out += ',';
          out +=
              i < prompts.size() ? describePrompt(*prompts[i]) : offered[i - prompts.size()]->text;
        }
        return out + "]" + nextCursor(generation, *page);
      });
  Fragments out;
  out.append(text);
  call->result(out, cachedBriefly);
}

void methods::getPrompt(const CallPointer &call) {
  const auto name = requiredText(call, "name");
  if (!name) return;
  call->about(*name);
  const auto catalogue = call->catalogue();
  const CatalogueEntry *const entry = catalogue->byName(*name);
  if (entry == nullptr)
    if (const auto offers = call->offers(); const Offer *const offered = offers->prompt(*name))
      return getOfferedPrompt(call, *offered);
  const auto arguments = promptArguments(call);
  if (!arguments) return;
  if (entry == nullptr)
    return call->fail({Fault::InvalidParams, "Unknown prompt: " + name->substr(0, 200)});
  if (const std::optional<Content> kept = keptContent(call->services(), *entry))
    return answerPrompt(call, entry->skill, *kept->prepared, *arguments);
  prepareContent(call->services(), *entry, call->options(),
                 [call, skill = entry->skill, arguments = *arguments](Result<Content> content) {
                   if (!content) return call->fail(content.failure());
                   answerPrompt(call, skill, *content->prepared, arguments);
                 });
}

} // namespace skillhost
