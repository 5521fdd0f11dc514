// SPDX-License-Identifier: Apache-2.0
#include "mcp_client/listed_skill.hpp"

#include "ground/base64.hpp"
#include "ground/json_member.hpp"
#include "ground/percent.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view digestScheme = "sha256:";
constexpr std::size_t digestBytes = 71; // with its scheme
constexpr std::uint64_t maxListedFileBytes = std::uint64_t{256} << 20U;

const std::string *textMember(const Json &object, const char *name) {
  return memberOf(object, name).get_ptr<const std::string *>();
}

bool isDigest(const std::string *text) {
  return text != nullptr && text->size() == digestBytes && text->starts_with(digestScheme) &&
         text->find_first_not_of("0123456789abcdef", digestScheme.size()) == std::string::npos;
}

// Returns words of the server for people, cut to a line.
std::string shownReason(std::string_view words) {
  constexpr std::size_t most = 200; // bytes
  return shownWords(std::string(cutUtf8(words, most)));
}

} // namespace

Status requireSkillsExtension(const Json &capabilities) {
  if (memberOf(memberOf(capabilities, "extensions"), skillsExtension).is_object()) return Done{};
  return {Fault::NotImplemented, "the server does not have the extension " +
                                     std::string(skillsExtension) +
                                     ", so it serves no whole skills"};
}

std::string folderOfUri(const std::string &uri) {
  constexpr std::string_view entry = "/SKILL.md";
  return uri.ends_with(entry) ? uri.substr(0, uri.size() - entry.size()) : "";
}

std::string readListedSkill(const Json &entry, ListedSkill &skill) {
  skill.uri = *textMember(entry, "uri");
  if (const std::string *const name = textMember(memberOf(entry, "frontmatter"), "name"))
    skill.name = *name;
  if (skill.name.empty()) return "the server does not say its name";
  const std::string ownFolder = folderOfUri(skill.uri);
  if (ownFolder.empty()) return "its URI does not end with /SKILL.md";
  const std::string *const folder = textMember(memberOf(entry, "_meta"), "org.skillhost/folder");
  skill.folder = folder != nullptr ? *folder : ownFolder;
  const std::string root = ownFolder + '/';
  const Json &resources = memberOf(entry, "resources");
  if (!resources.is_array()) return "the server does not list its files";
  for (const Json &resource : resources) {
    const std::string *const file = textMember(resource, "uri");
    const std::string *const digest = textMember(resource, "digest");
    const Json &size = memberOf(resource, "size");
    if (file == nullptr || !file->starts_with(root))
      return "a file of it lies outside of the skill";
    const std::optional<std::string> path = decodeStrictPercents(file->substr(root.size()));
    if (!path) return "the URI of a file is wrong: " + shownWords(*file);
    if (!isDigest(digest)) return "the server gives no SHA-256 digest of " + shownWords(*path);
    ListedFile served{*file, digest->substr(digestScheme.size())};
    if (size.is_number_unsigned()) served.size = size.get<std::uint64_t>();
    skill.files[*path] = std::move(served);
  }
  return {};
}

Result<std::string> contentIn(const Conversation::Reply &reply) {
  if (reply.refusal)
    return {Fault::OperationFailed, "the server refuses to send it: " + reply.refusal->words};
  const Json &contents = memberOf(reply.result, "contents");
  const Json one = contents.is_array() && contents.size() == 1 ? contents[0] : Json();
  if (const std::string *const text = textMember(one, "text")) return *text;
  const std::string *const blob = textMember(one, "blob");
  std::optional<std::string> bytes = blob != nullptr ? decodeBase64(*blob) : std::nullopt;
  if (!bytes) return {Fault::InvalidFormat, "the server's answer has no content"};
  return *std::move(bytes);
}

std::size_t answerBytesFor(std::uint64_t size) {
  return static_cast<std::size_t>(std::min(size, maxListedFileBytes)) * 6 +
         (std::size_t{64} << 10U);
}

MissingSkills readMissingSkills(const Json &meta) {
  constexpr const char *unknown = "the server does not say in a known form what it leaves out";
  MissingSkills missing;
  if (!memberOf(meta, "org.skillhost/loading").is_null())
    missing.why = "the server is still loading its skills";
  const Json &failures = memberOf(meta, "org.skillhost/failures");
  if (failures.is_null()) return missing;
  if (!failures.is_array()) {
    missing.why = unknown;
    return missing;
  }
  for (const Json &failure : failures) {
    const std::string *const uri = textMember(failure, "uri");
    if (uri == nullptr && !memberOf(failure, "uri").is_null()) missing.why = unknown;
    if (const std::string *const skill = textMember(failure, "skill")) {
      const std::string *const why = textMember(failure, "reason"); // older servers give none
      missing.skills.push_back({shownWords(*skill), uri != nullptr ? *uri : std::string(),
                                why == nullptr || *why == "unreadable"
                                    ? "the server cannot read it now"
                                    : "the server leaves it out (" + shownReason(*why) + ')'});
    } else if (memberOf(failure, "more_skills").is_number()) {
      if (uri != nullptr && uri->ends_with('/'))
        missing.folders.push_back(*uri);
      else
        missing.why = missingMoreWords;
    } else if (missing.why.empty()) {
      const std::string *const source = textMember(failure, "source");
      missing.why =
          "a source of the server failed" + (source != nullptr ? ": " + shownWords(*source) : "");
    }
  }
  return missing;
}

} // namespace skillhost
