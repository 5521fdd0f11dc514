// SPDX-License-Identifier: Apache-2.0
#include "inbox_tools.hpp"

#include "access/access.hpp"
#include "ground/base64.hpp"
#include "ground/counted.hpp"
#include "ground/json_member.hpp"
#include "ground/shown.hpp"
#include "ground/time_reading.hpp"
#include "inbox/proposal_difference.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "mcp/source_notices.hpp"
#include "mcp/use_of_call.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace skillhost::inbox {
namespace {

constexpr std::size_t longestText = 2'000; // bytes of a note and of a reason
constexpr std::size_t maxFindings = 100;   // of a proposal
constexpr std::size_t maxRefused = 20;     // findings in one refusal

Person personOf(const ToolCall &tool) {
  const PrincipalPointer &who = tool.call()->principal();
  return who ? Person{who->issuer, who->subject} : Person{};
}

// Says why a caller may not do something.
struct Obstacle {
  std::string why;     // empty: the caller may
  std::string scope{}; // is needed beside that for reading; empty: no scope would help
};

void answerRefused(const ToolCall &tool, const Obstacle &obstacle) {
  const Call &call = *tool.call();
  const Failure failure{Fault::Denied, obstacle.why};
  const Access *const access = call.services().access;
  if (access == nullptr) return tool.fail(failure);
  const Json &name = memberOf(call.params(), "name");
  const std::string subject = name.is_string() ? name.get<std::string>() : std::string();
  AccessRefusal refusal = access->refuse(
      failure, {call.method(), subject, call.requestOrigin().peer, call.principal().get()},
      Permission::Read);
  if (obstacle.scope.empty())
    refusal.neededScopes.clear();
  else
    refusal.neededScopes.push_back(obstacle.scope);
  tool.call()->failWith(refusal.failure.fault, refusal.code(call.method()), refusal.failure.message,
                        refusal.data());
}

// Returns what prevents the caller from proposing.
Obstacle obstacle(const ToolCall &tool, const InboxSettings &settings) {
  const Call &call = *tool.call();
  if (!isKnown(call)) {
    // Only on stdio there is one user.
    if (call.session().client() == ClientSession::Client::Only) return {};
    return {"this server does not identify its callers, so nobody can propose over HTTP: set "
            "auth.plugin"};
  }
  if (!call.principal()) return {"only an identified caller may use this"};
  if (settings.scope.empty() || call.principal()->has(settings.scope)) return {};
  return {"the scope " + settings.scope + " is required", settings.scope};
}

// Runs `work` on the thread for files. It answers the call.
void onWorker(FileWorker &worker, const ToolCall &tool, std::function<void()> work) {
  const Person who = personOf(tool);
  const std::string owner = who.issuer + '\n' + who.subject;
  const bool runs = worker.run(owner, [call = tool.call(), work = std::move(work)] {
    if (call->isFinished()) return;
    try {
      work();
    } catch (const std::exception &why) {
      call->failWithException(why);
    }
  });
  if (!runs)
    tool.fail({Fault::Unavailable, "too many calls about proposals wait: try again in a moment"});
}

void writeToAudit(const ToolCall &tool, std::string_view kind, const Proposal &proposal,
                  const std::string &what) {
  const Call &call = *tool.call();
  if (call.services().access == nullptr) return;
  call.services().access->audit().write({.kind = kind,
                                         .reason = what,
                                         .method = call.method(),
                                         .subject = proposal.name,
                                         .peer = call.requestOrigin().peer,
                                         .principal = call.principal().get()});
}

std::string lineOf(const Proposal &proposal) {
  std::string line = proposal.id + ": " + proposal.name + ", " +
                     std::string(nameOf(proposal.state)) + ", proposed by " +
                     nameOf(proposal.proposer);
  if (proposal.state != State::Pending)
    line += "; decided by " + nameOf(proposal.reviewer) +
            (proposal.reason.empty() ? "" : ": " + shownLine(proposal.reason));
  return line;
}

std::string textOf(const Json &findings) {
  std::string text;
  for (const Json &one : findings)
    text += "\n- " + std::string(memberText(one, "severity")) + ' ' +
            std::string(memberText(one, "file")) + ": " + std::string(memberText(one, "reason"));
  return text;
}

Json jsonOf(const std::vector<Finding> &findings, std::size_t max) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(max, findings.size()); ++i)
    list.push_back(findingAsJson(findings[i]));
  return list;
}

// Reads one item of `files`. The failure names what is wrong with it.
Status readProposedFile(const Json &item, Files &files) {
  const auto wrong = [](std::string why) { return Failure{Fault::InvalidInput, std::move(why)}; };
  if (!item.is_object()) return wrong("must be an object");
  for (const auto &[key, value] : item.items()) {
    const bool isText = key == "path" || key == "text" || key == "base64";
    if (!isText && key != "executable")
      return wrong(": unknown member; a file has path, executable, and text or base64");
    if (isText ? !value.is_string() : !value.is_boolean())
      return wrong("." + key + ": must be " + (isText ? "a string" : "true or false"));
  }
  if (!item.contains("path")) return wrong(".path: required");
  if (item.contains("text") == item.contains("base64"))
    return wrong(": exactly one of text and base64 is required");
  File file;
  file.executable = memberOf(item, "executable") == true;
  if (item.contains("text")) {
    file.bytes = item["text"].get<std::string>();
  } else {
    std::optional<std::string> bytes = decodeBase64(item["base64"].get_ref<const std::string &>());
    if (!bytes) return wrong(".base64: is no base64 with padding");
    file.bytes = *std::move(bytes);
  }
  if (!files.emplace(item["path"].get<std::string>(), std::move(file)).second)
    return wrong(".path: another file has the same path");
  return Done{};
}

Result<Files> filesIn(const Json &arguments) {
  const Json &list = memberOf(arguments, "files");
  if (!list.is_array() || list.empty())
    return {Fault::InvalidInput, "arguments.files: must be a list of files"};
  Files files;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (const Status read = readProposedFile(list[i], files); !read)
      return {Fault::InvalidInput,
              "arguments.files[" + std::to_string(i) + ']' + read.failure().message};
  return files;
}

// Checks the content, stores the proposal and answers.
void submit(InboxTools &inbox, const ToolCall &tool, Submission submission, bool isChange) {
  const std::vector<Finding> findings =
      findingsIn(submission.name, submission.files, inbox.settings.strictness);
  const auto errors = static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [](const Finding &one) { return one.severity == Severity::Error; }));
  if (errors != 0) {
    const Json shown = jsonOf(findings, maxRefused);
    return tool.fail({Fault::InvalidInput,
                      "the skill has " + counted(errors, "error") +
                          ", and nothing is stored. The first one: " + render(findings.front())},
                     Json{{"findings", shown}}.dump());
  }
  submission.findings = jsonOf(findings, maxFindings);
  const Result<Proposal> stored = inbox.store.submit(std::move(submission), secondsNow(), isChange);
  if (!stored) return tool.fail(stored.failure());
  writeToAudit(tool, "proposed", *stored, stored->id + ' ' + stored->digest);
  const std::string message = "proposed as " + stored->id + ", " +
                              (isChange ? "a change of a skill" : "a new skill") +
                              "; it is not served until a reviewer approves it";
  Json data{{"proposal", proposalJson(*stored)}, {"change", isChange}, {"message", message}};
  tool.succeed(toolResult(data, message + textOf(stored->findings)));
}

// Returns true if the caller may see the proposal.
bool maySee(const Proposal &proposal, const Person &caller, bool reviews) {
  return reviews || proposal.proposer == caller;
}

// Returns the skill that the proposal changes, if the caller may learn of it; otherwise null.
const CatalogueEntry *seenEntry(const InboxSettings &settings, const Catalogue &catalogue,
                                const std::string &name) {
  const Result<const CatalogueEntry *> entry = changedEntry(settings, catalogue, name);
  return entry ? *entry : nullptr;
}

// Returns the skills that lie in the folder of the proposed one, as far as the caller sees them.
std::string namedSkillsInside(const InboxSettings &settings, const Catalogue &catalogue,
                              const Submission &submission) {
  constexpr std::size_t most = 10;
  const std::vector<std::string> inside = skillsInside(settings, catalogue, submission.name);
  std::string names;
  for (std::size_t i = 0; i < std::min(most, inside.size()); ++i)
    names += (i == 0 ? "" : ", ") + inside[i];
  return names + (inside.size() > most ? " and others" : "");
}

void tellUnreadable(const std::vector<ProposalList::Unreadable> &all, Json &data,
                    std::string &text) {
  constexpr std::size_t most = 20;
  if (all.empty()) return;
  data["unreadable_total"] = all.size();
  text += '\n' + counted(all.size(), "proposal") + " cannot be read:";
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
    data["unreadable"].push_back({{"id", all[i].id}, {"reason", all[i].why}});
    text += "\n- " + shownLine(all[i].why);
  }
}

struct ShowRequest {
  std::string id, path;
  std::size_t offset = 0;
};

void tellProposal(const InboxSettings &settings, const ToolCall &tool, ProposalContent content,
                  const ShowRequest &request, bool reviews, const Catalogue &catalogue) {
  const Proposal &proposal = content.proposal;
  // Others learn of the present skill only what is served to them.
  if (!reviews) narrowTo(content, seenEntry(settings, catalogue, proposal.name));
  const bool isChange = content.before.has_value() || content.isUnreadable;
  const std::size_t room = tool.room() / 3; // JSON needs more bytes than the text
  std::vector<FileChange> changes =
      changesOf(content.before ? *content.before : Files{}, content.files);
  if (request.path.empty()) {
    cutTo(changes, room);
  } else {
    std::erase_if(changes, [&](const FileChange &one) { return one.path != request.path; });
    if (changes.empty())
      return tool.fail({Fault::NotFound, "arguments.path: no such file of the proposal differs"});
    cutTo(changes.front(), request.offset, room);
  }
  const bool isCut = std::any_of(changes.begin(), changes.end(),
                                 [](const FileChange &one) { return one.rest != 0; });
  std::string message = isChange ? "a change of a skill" : "a new skill";
  if (content.isUnreadable) message += ", with which it cannot be compared";
  if (content.isOutdated) message += "; the skill has changed since the proposal";
  if (!content.obstacle.empty()) message += "; an approval is refused: " + content.obstacle;
  if (isCut) message += "; not all of it fits: show the rest of a file with path and text_offset";
  std::string text = lineOf(proposal) + "\n" + message + "\nDigest: " + proposal.digest;
  if (content.before) text += "\nBase: " + content.base;
  // A line of its own could pass for a part of what follows.
  if (!proposal.note.empty()) text += "\nNote: " + shownLine(proposal.note);
  text += textOf(proposal.findings);
  Json files = Json::array();
  for (const FileChange &one : changes) {
    text += "\n\n" + titleOf(one) + '\n' + one.text;
    if (one.rest != 0)
      text += "\n(" + counted(one.rest, "byte") + " more, from text_offset " +
              std::to_string(one.next) + " on)";
    files.push_back(fileJson(one));
  }
  tool.succeed(toolResult(Json{{"proposal", proposalJson(proposal)},
                               {"obstacle", content.obstacle},
                               {"change", isChange},
                               {"base", content.base},
                               {"outdated", content.isOutdated},
                               {"files", std::move(files)},
                               {"message", message}},
                          text));
}

} // namespace

void InboxTools::propose(const ToolCall &tool) {
  if (const Obstacle found = obstacle(tool, settings); !found.why.empty())
    return answerRefused(tool, found);
  Arguments arguments(tool.arguments(), {"name", "files", "note"});
  Submission submission;
  submission.name = arguments.text("name");
  submission.note = arguments.text("note", "");
  if (!arguments.good()) return tool.fail(arguments.failure());
  if (submission.note.size() > longestText)
    return tool.fail({Fault::InvalidInput, "arguments.note: at most 2,000 bytes"});
  Result<Files> files = filesIn(tool.arguments());
  if (!files) return tool.fail(files.failure());
  submission.files = *std::move(files);
  if (const Status form = checkForm(submission.name, submission.files, settings.limits); !form)
    return tool.fail(form.failure());
  const Result<const CatalogueEntry *> entry =
      changedEntry(settings, *tool.call()->catalogue(), submission.name);
  if (!entry) return tool.fail(entry.failure());
  if (const std::string inside = namedSkillsInside(settings, *tool.call()->catalogue(), submission);
      !inside.empty())
    return tool.fail({Fault::Conflict, "in the folder " + submission.name +
                                           " are skills of their own, which the proposal would "
                                           "remove: " +
                                           inside +
                                           ": propose another name, or ask for them to be moved"});
  submission.proposer = personOf(tool);
  submission.client = clientNameOf(*tool.call());
  onWorker(
      worker, tool,
      [this, tool, isChange = *entry != nullptr, submission = std::move(submission)]() mutable {
        submit(*this, tool, std::move(submission), isChange);
      });
}

void InboxTools::list(const ToolCall &tool) {
  const bool reviews = isReviewer(*tool.call());
  if (const Obstacle found = reviews ? Obstacle{} : obstacle(tool, settings); !found.why.empty())
    return answerRefused(tool, found);
  Arguments arguments(tool.arguments(), {"state", "offset"});
  const std::string state = arguments.text("state", "");
  const auto offset = static_cast<std::size_t>(arguments.integer("offset", 0, 0, INT64_MAX));
  if (!arguments.good()) return tool.fail(arguments.failure());
  if (!state.empty() && state != "pending" && state != "approved" && state != "rejected")
    return tool.fail(
        {Fault::InvalidInput, "arguments.state: must be pending, approved or rejected"});
  onWorker(worker, tool,
           [this, tool, reviews, state, offset, caller = personOf(tool),
            catalogue = tool.call()->catalogue()] {
             Result<ProposalList> listed = store.list(secondsNow());
             if (!listed) return tool.fail(listed.failure());
             std::vector<Proposal> &all = listed->proposals;
             std::erase_if(all, [&](const Proposal &one) {
               return !maySee(one, caller, reviews) ||
                      (!state.empty() && nameOf(one.state) != state);
             });
             const std::size_t begin = std::min(offset, all.size());
             const std::size_t end =
                 std::min(all.size(), begin + tool.services().settings.limits.listItems);
             Json list = Json::array();
             std::string text = counted(all.size(), "proposal");
             for (std::size_t i = begin; i < end; ++i) {
               Json one = proposalJson(all[i]);
               one.erase("findings"); // the list does not have them
               const Proposal &proposal = all[i];
               const bool mayKnow =
                   reviews ||
                   (proposal.sawSkill && seenEntry(settings, *catalogue, proposal.name) != nullptr);
               one["change"] = !proposal.base.empty() && mayKnow;
               list.push_back(std::move(one));
               text += "\n- " + lineOf(all[i]);
             }
             if (end < all.size()) text += "\nThe list goes on at offset " + std::to_string(end);
             Json data{{"total", all.size()}, {"proposals", std::move(list)}};
             // Nobody knows whose they are, so only reviewers are told.
             if (reviews) tellUnreadable(listed->unreadable, data, text);
             tool.succeed(toolResult(data, text));
           });
}

void InboxTools::show(const ToolCall &tool) {
  const bool reviews = isReviewer(*tool.call());
  if (const Obstacle found = reviews ? Obstacle{} : obstacle(tool, settings); !found.why.empty())
    return answerRefused(tool, found);
  Arguments arguments(tool.arguments(), {"id", "path", "text_offset"});
  ShowRequest request;
  request.id = arguments.text("id");
  request.path = arguments.text("path", "");
  request.offset = static_cast<std::size_t>(arguments.integer("text_offset", 0, 0, INT64_MAX));
  if (!arguments.good()) return tool.fail(arguments.failure());
  onWorker(worker, tool,
           [this, tool, reviews, request, caller = personOf(tool),
            catalogue = tool.call()->catalogue()] {
             Result<ProposalContent> found = store.find(request.id);
             // The caller must not learn that somebody else has proposed something.
             if (found && !maySee(found->proposal, caller, reviews))
               found = Failure{Fault::NotFound, "there is no proposal " + request.id};
             // The reason may name a path of this machine, and whose proposal it is may be unknown.
             if (!found && !reviews && found.failure().fault != Fault::NotFound &&
                 found.failure().fault != Fault::Unavailable)
               found = Failure{found.failure().fault,
                               "the proposal " + request.id +
                                   " cannot be read: ask a reviewer, or propose again"};
             if (!found) return tool.fail(found.failure());
             tellProposal(settings, tool, *std::move(found), request, reviews, *catalogue);
           });
}

void InboxTools::review(const ToolCall &tool) {
  Arguments arguments(tool.arguments(),
                      {"id", "decision", "digest", "base", "reason", "even_if_changed"});
  DecisionOnProposal decision;
  decision.id = arguments.text("id");
  const std::string word = arguments.text("decision");
  decision.reason = arguments.text("reason", "");
  decision.evenIfChanged = arguments.flag("even_if_changed", false);
  // Nobody approves what was not shown. A rejection serves nothing.
  const std::string digest =
      word == "approve" ? arguments.text("digest") : arguments.text("digest", "");
  const std::string base = arguments.text("base", "");
  if (!digest.empty()) decision.digest = digest;
  if (tool.arguments().contains("base")) decision.base = base;
  if (!arguments.good()) return tool.fail(arguments.failure());
  if (word != "approve" && word != "reject")
    return tool.fail({Fault::InvalidInput, "arguments.decision: must be approve or reject"});
  if (decision.reason.size() > longestText)
    return tool.fail({Fault::InvalidInput, "arguments.reason: at most 2,000 bytes"});
  decision.approve = word == "approve";
  if (decision.approve && decision.evenIfChanged && !decision.base)
    return tool.fail({Fault::InvalidInput, "arguments.base: required with even_if_changed; it is "
                                           "the base that show_proposal gave"});
  decision.reviewer = personOf(tool);
  onWorker(worker, tool, [this, tool, decision, catalogue = tool.call()->catalogue()] {
    if (decision.approve) {
      const Result<ProposalContent> found = store.find(decision.id);
      if (!found) return tool.fail(found.failure());
      const Result<const CatalogueEntry *> entry =
          changedEntry(settings, *catalogue, found->proposal.name);
      if (!entry) return tool.fail(entry.failure());
    }
    const Result<Proposal> decided = store.decide(decision, secondsNow());
    if (!decided && decided.failure().fault == Fault::Denied)
      return answerRefused(tool, {decided.failure().message});
    if (!decided) return tool.fail(decided.failure());
    writeToAudit(tool, "reviewed", *decided,
                 std::string(decision.approve ? "approve" : "reject") + " proposal " + decided->id +
                     ' ' + decided->digest +
                     (decision.reason.empty() ? "" : ": " + decision.reason));
    if (decision.approve) {
      tool.services().library.refresh(settings.source);
      notifySourceChanged(tool.services().shared.get(), settings.source);
    }
    const std::string message =
        lineOf(*decided) +
        (decision.approve ? "; it is now in the source " + settings.source +
                                "; if the server has rules of review or a lock, they decide next"
                          : "");
    tool.succeed(
        toolResult(Json{{"proposal", proposalJson(*decided)}, {"message", message}}, message));
  });
}

constexpr Tool proposeTool{
    "propose_skill",
    "Propose a skill",
    "Propose a new skill, or a change of an existing one, to the people who review skills. Send "
    "all files of the skill. Nothing is served before a reviewer approves it. A second proposal of "
    "the same skill replaces your first one while nobody has decided.",
    ToolCategory::Scan,
    Permission::Read,
    false,
    R"({"type":"object","properties":{"name":{"type":"string","description":"The name of the skill, as in its SKILL.md: lower-case letters, digits and hyphens."},"files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string","description":"The path in the skill, such as SKILL.md or scripts/run.py."},"text":{"type":"string"},"base64":{"type":"string","description":"In place of text, for a file that is no text."},"executable":{"type":"boolean"}},"required":["path"],"additionalProperties":false},"minItems":1},"note":{"type":"string","maxLength":2000,"description":"What the proposal is for; the reviewer reads it."}},"required":["name","files"],"additionalProperties":false})",
    R"({"type":"object","properties":{"proposal":{"type":"object"},"change":{"type":"boolean"},"message":{"type":"string"}}})",
    nullptr};

constexpr Tool listTool{
    "list_proposals",
    "List proposals",
    "List your own proposals of skills, the newest first, and what reviewers have decided. "
    "Reviewers see those of everybody.",
    ToolCategory::Scan,
    Permission::Read,
    true,
    R"({"type":"object","properties":{"state":{"enum":["pending","approved","rejected"]},"offset":{"type":"integer","minimum":0,"description":"How many proposals to skip."}},"additionalProperties":false})",
    R"({"type":"object","properties":{"total":{"type":"integer"},"proposals":{"type":"array","items":{"type":"object"}},"unreadable_total":{"type":"integer"},"unreadable":{"type":"array","items":{"type":"object"}}}})",
    nullptr};

constexpr Tool showTool{
    "show_proposal",
    "Show a proposal",
    "Show a proposal with its findings and its difference to the present skill.",
    ToolCategory::Scan,
    Permission::Read,
    true,
    R"({"type":"object","properties":{"id":{"type":"string"},"path":{"type":"string","description":"Show only this file."},"text_offset":{"type":"integer","minimum":0,"description":"With path: how many bytes of its text to skip."}},"required":["id"],"additionalProperties":false})",
    R"({"type":"object","properties":{"proposal":{"type":"object"},"change":{"type":"boolean"},"base":{"type":"string"},"outdated":{"type":"boolean"},"obstacle":{"type":"string"},"files":{"type":"array","items":{"type":"object"}},"message":{"type":"string"}}})",
    nullptr};

constexpr Tool reviewTool{
    "review_proposal",
    "Review a proposal",
    "Approve or reject a proposal of a skill, as show_proposal has shown it. Decide only what a "
    "person has told you to decide.",
    ToolCategory::Scan,
    Permission::Review,
    false,
    R"({"type":"object","properties":{"id":{"type":"string"},"decision":{"enum":["approve","reject"]},"digest":{"type":"string","description":"The digest that show_proposal gave. approve needs it, reject may leave it out."},"base":{"type":"string","description":"The base that show_proposal gave: the digest of the present skill, or \"\" if there is none. The approval is then refused if the skill has changed since."},"reason":{"type":"string","maxLength":2000},"even_if_changed":{"type":"boolean","default":false,"description":"Approve even if the skill has changed since the proposal. It needs base."}},"required":["id","decision"],"additionalProperties":false})",
    R"({"type":"object","properties":{"proposal":{"type":"object"},"message":{"type":"string"}}})",
    nullptr};

} // namespace skillhost::inbox
