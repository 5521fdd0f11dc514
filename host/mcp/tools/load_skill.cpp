// SPDX-License-Identifier: Apache-2.0
#include "access/access.hpp"
#include "base/text_piece.hpp"
#include "base/truncation.hpp"
#include "ground/json_text.hpp"
#include "ground/text.hpp"
#include "load.hpp"
#include "loading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "skill_texts.hpp"
#include "skill_tools.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {
namespace {

std::string jsonString(std::string_view text) {
  std::string out;
  appendJsonString(out, text);
  return out;
}

// The part of the content that an answer has, and its place in the whole.
struct Part {
  Fragments quoted; // as a JSON string
  std::size_t begin = 0, end = 0, all = 0;
  bool whole() const noexcept { return begin == 0 && end == all; }
  bool last() const noexcept { return end == all; }
};

// Returns at most `room` bytes of the serialised content from `offset` on.
Part partOf(const RenderedSkill &rendered, std::size_t offset, std::size_t room) {
  Part part;
  if (offset == 0 && rendered.jsonText->size() <= room) {
    part.quoted.append(rendered.jsonText);
    return part; // as it is cached
  }
  const std::string text = rendered.plainText();
  const TextPiece piece = pieceOf(text, offset, room);
  part.quoted = Fragments(jsonString(piece.text));
  part.begin = piece.begin;
  part.end = piece.begin + piece.text.size();
  part.all = text.size();
  return part;
}

// Returns the call to repeat, with its argument for the skill; a skill that is a tool takes none.
std::string callOf(const ToolCall &tool, const CatalogueEntry &entry) {
  const std::string name = tool.call()->params().at("name").get<std::string>();
  return name == loadSkillTool.name ? name + " with skill_name \"" + entry.name + "\" and "
                                    : name + " with ";
}

// Returns the end of the text after a part that is not the last.
std::string textAfter(const Part &part, const std::string &call) {
  return "\n" + std::string(truncationMark) + "\nThese are bytes " + std::to_string(part.begin) +
         " to " + std::to_string(part.end) + " of " + std::to_string(part.all) +
         " of this skill. Read on before you follow them: call " + call + "offset " +
         std::to_string(part.end) + ".";
}

std::string noticeOf(const CatalogueEntry &entry) {
  if (entry.isForModels()) return {};
  std::string notice = "The author of " + entry.name +
                       " allows only users to request it (disable-model-invocation): unless the "
                       "user did, do not follow it, but tell the user that it exists";
  return notice + (entry.isForUsers() ? ", also as the prompt " + entry.name + '.' : ".");
}

void sendLoaded(const ToolCall &tool, const Catalogue &seen, const CatalogueEntry &entry,
                const LoadedContent &content, const std::string &loadedAt, std::size_t offset) {
  const RenderedSkill &rendered = *content.rendered;
  ToolResult result;
  std::string facts = factsMember(*tool.call(), seen, *entry.skill);
  std::string head;
  head.reserve(512); // enough for most, because every load does this
  head += R"({"status":"loaded","skill_name":)";
  appendJsonString(head, entry.name);
  appendPieces(head,
               {R"(,"tokens_loaded":)", std::to_string(rendered.rawBytes / 4), R"(,"loaded_at":")",
                loadedAt, R"(","digest":")", rendered.digest, R"(","uri":)"});
  appendJsonString(head, entry.skill->uri + "/SKILL.md");
  // The members beside the content take room too, and so do the words after a part in the text.
  constexpr std::size_t around = 560, least = 40;
  const std::size_t room = tool.roomForText(loadSkillTool);
  const std::size_t taken = (around + head.size() + facts.size()) / 2 + entry.name.size();
  Part part = partOf(rendered, offset, std::max(least, room - std::min(room, taken)));
  if (offset != 0 && part.begin == part.all)
    return tool.fail({Fault::InvalidInput, "arguments.offset: " + std::to_string(offset) +
                                               " is past the end; the content has " +
                                               std::to_string(part.all) + " bytes"});
  head += part.last() ? R"(,"message":"Follow the instructions in content.")"
                      : R"(,"message":"This is a part of the content: read on from next_offset.")";
  if (!part.whole())
    head += R"(,"offset":)" + std::to_string(part.begin) + R"(,"size":)" + std::to_string(part.all);
  if (!part.last()) head += R"(,"next_offset":)" + std::to_string(part.end);
  // A client that gets the text alone does not get this structured form.
  if (tool.form() != ResultForm::Text)
    result.data.append(head).append(R"(,"content":)").append(part.quoted).append("}");
  if (part.last()) {
    result.text = std::move(part.quoted);
  } else {
    std::string text = part.quoted.text();
    text.pop_back();
    result.text = Fragments(text + jsonString(textAfter(part, callOf(tool, entry))).substr(1));
  }
  result.meta = std::move(facts);
  result.cached = content.cached;
  result.truncated = rendered.truncated || !part.last();
  result.notice = noticeOf(entry);
  tool.succeed(result);
}

ToolResult alreadyLoaded(const ToolCall &tool, const Catalogue &seen, const CatalogueEntry &entry,
                         const std::string &digest, const std::string &loadedAt) {
  const std::string message = "The skill " + entry.name +
                              " is loaded already and has not changed: use the content you "
                              "have, or pass force_reload to get it again.";
  ToolResult result = toolResult(Json{{"status", "already_loaded"},
                                      {"skill_name", entry.name},
                                      {"message", message},
                                      {"loaded_at", loadedAt},
                                      {"digest", digest}},
                                 message);
  result.meta = factsMember(*tool.call(), seen, *entry.skill);
  result.notice = noticeOf(entry);
  return result;
}

// A caller who reads on has loaded the skill already.
UseKind kindOf(const LoadRequest &request) {
  return request.offset == 0 ? UseKind::Load : UseKind::Read;
}

bool hasLoaded(const ClientSession &session, const CatalogueEntry &entry) {
  return session.loaded.with([&](const auto &all) { return all.contains(entry.skill->id); });
}

void answerLoad(const ToolCall &tool, const Catalogue &seen, const CatalogueEntry &entry,
                const LoadRequest &request, const LoadedContent &content, NotesAge age) {
  const RenderedSkill &rendered = *content.rendered;
  const std::string now = timestamp(std::chrono::system_clock::now());
  // The digests are compared, so a skill that has changed since is sent again. A digest that the
  // caller states counts more than the one that the session remembers.
  std::size_t offset = request.offset;
  const auto isCurrent = [&](const std::string &has) {
    // If the content has changed, its rest is of no use without its beginning.
    if (!has.empty() && has != rendered.digest) offset = 0;
    return has == rendered.digest && !request.force && request.offset == 0 && !content.isMoved &&
           (age == NotesAge::Current || !request.knownDigest.empty());
  };
  const auto remember = [&](auto &all) {
    LoadedSkill &held = all[entry.skill->id];
    const bool current = isCurrent(request.knownDigest.empty() ? held.digest : request.knownDigest);
    // The time when a skill was sent again does not matter to other replicas. If the notes could
    // not be refreshed, another replica may have unloaded the skill: a change here could undo that.
    if (held.digest == rendered.digest && held.name == entry.name) {
      if (current) return held.loadedAt;
      held.loadedAt = now;
      return std::string();
    }
    std::string loadedAt = current && held.digest == rendered.digest ? held.loadedAt : now;
    const bool isNew = held.digest.empty();
    LoadedSkill next{entry.name, rendered.digest, std::move(loadedAt), rendered.rawBytes / 4};
    std::string told = current ? next.loadedAt : std::string();
    // A skill for which there is no room is sent again the next time.
    if (isNew && !tool.session().reserveBytes(LoadedSkill::bytes)) {
      all.erase(entry.skill->id);
      return told;
    }
    tool.session().note(
        {.kind = SessionChange::Kind::Loaded, .name = entry.skill->id, .skill = next});
    held = std::move(next);
    return told;
  };
  // A session that ends with its request has nothing to remember.
  const std::string since = tool.call()->remembers()         ? tool.session().loaded.with(remember)
                            : isCurrent(request.knownDigest) ? now
                                                             : std::string();
  tool.call()->uses({.kind = kindOf(request),
                     .skill = entry.skill,
                     .digest = {content.rendered, &rendered.digest},
                     .outcome = since.empty() ? useDone : useUnchanged});
  if (since.empty())
    sendLoaded(tool, seen, entry, content, now, offset);
  else
    tool.succeed(alreadyLoaded(tool, seen, entry, rendered.digest, since));
}

// Refreshes the notes before it answers from "loaded": another replica may have unloaded the skill
// a moment ago. Then the client does not have the content, and the record does not have the skill
// that is sent again. If the notes cannot be refreshed, the content is sent. A further page is
// sent in any case, and the first one was noted.
void answerCertainly(const ToolCall &tool, const std::shared_ptr<const Catalogue> &seen,
                     const CatalogueEntry &entry, const LoadRequest &request,
                     const LoadedContent &content) {
  if (request.offset > 0 || !tool.session().sharesNotes() || !hasLoaded(tool.session(), entry))
    return answerLoad(tool, *seen, entry, request, content, NotesAge::Current);
  tool.session().refreshNotes([tool, seen, &entry, request, content](NotesAge age) {
    if (tool.call()->isLate()) return tool.call()->timeOut();
    answerLoad(tool, *seen, entry, request, content, age);
  });
}

void runLoadSkill(const ToolCall &tool) {
  Arguments arguments(tool.arguments(), {"skill_name", "force_reload", "known_digest", "offset"});
  LoadRequest request;
  const std::string name = arguments.text("skill_name");
  request.force = arguments.flag("force_reload", false);
  request.knownDigest = arguments.text("known_digest", {});
  request.offset = static_cast<std::size_t>(arguments.integer("offset", 0, 0, INT64_MAX));
  if (!arguments.good()) return tool.fail(arguments.failure());
  const auto catalogue = tool.call()->catalogue();
  const CatalogueEntry *const entry = catalogue->byName(name);
  if (entry == nullptr) {
    tool.call()->uses({.kind = UseKind::Load});
    return failUnknownSkill(tool, *catalogue, name);
  }
  loadSkill(tool, catalogue, *entry, request);
}

} // namespace

SkillCopies::IsServed servedTo(const Call &call, const Skill &skill) {
  return [access = call.services().access, principal = call.principal(), id = skill.id,
          key = skill.contentKey](const std::shared_ptr<const Catalogue> &now) {
    const auto seen = access == nullptr
                          ? now
                          : Visibility::view(now, access->visibility().keyOf(principal.get()));
    const CatalogueEntry *const entry = seen->byId(id);
    return entry != nullptr && entry->skill->contentKey == key;
  };
}

void loadSkill(const ToolCall &tool, const std::shared_ptr<const Catalogue> &seen,
               const CatalogueEntry &entry, const LoadRequest &request) {
  tool.call()->addToLogLine(entry.name);
  tool.call()->uses({.kind = kindOf(request), .skill = entry.skill});
  tool.services().reader.load(
      entry.skill, remoteReach(tool.services(), seen), [&tool] { return tool.options(); },
      // The entry belongs to the catalogue, which is owned here. Most loads come from the cache,
      // and copy nothing.
      [tool, seen, &entry, request](Result<LoadedContent> content) {
        // A session that gets no content must not count the skill as loaded.
        if (content && tool.call()->isLate()) return tool.call()->timeOut();
        if (content) return answerCertainly(tool, seen, entry, request, *content);
        const Json context{{"status", "error"}, {"skill_name", entry.name}};
        tool.fail(std::move(content).failure(), context.dump());
      },
      [&] { return servedTo(*tool.call(), *entry.skill); });
}

constexpr Tool loadSkillTool{
    "load_skill",
    "Load a skill",
    "Load a skill: returns the instructions to follow, after where its files are and how its "
    "scripts are run. Load a skill BEFORE you start the work it is for.",
    ToolCategory::Query,
    Permission::Read,
    false,
    R"({"type":"object","properties":{"skill_name":{"type":"string","minLength":1,"description":"The name as list_skills or find_helpful_skills gives it."},"force_reload":{"type":"boolean","default":false,"description":"Send the content even when this session has it."},"known_digest":{"type":"string","description":"The digest of the content you hold: the content is only sent when it differs."},"offset":{"type":"integer","minimum":0,"default":0,"description":"Where to read on in a skill too long for one answer: next_offset of the answer before."}},"required":["skill_name"],"additionalProperties":false})",
    R"({"type":"object","properties":{"status":{"enum":["loaded","already_loaded"]},"skill_name":{"type":"string"},"content":{"type":"string"},"message":{"type":"string"},"tokens_loaded":{"type":"integer"},"loaded_at":{"type":"string"},"digest":{"type":"string"},"uri":{"type":"string"},"offset":{"type":"integer"},"next_offset":{"type":"integer"},"size":{"type":"integer"}},"required":["status","skill_name","message","digest"]})",
    &runLoadSkill,
    " A skill that is loaded already is not sent again; pass force_reload to get it again.",
    "known_digest",
    maxToolCharacters};

} // namespace skillhost
