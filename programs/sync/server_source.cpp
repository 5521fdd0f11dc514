// SPDX-License-Identifier: Apache-2.0
#include "server_source.hpp"

#include "conversation/greeting.hpp"
#include "conversation/listing.hpp"
#include "ground/base64.hpp"
#include "ground/json_member.hpp"
#include "ground/percent.hpp"
#include "ground/sha256.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace skillhost::sync {
namespace {

constexpr const char *skillsExtension = "io.modelcontextprotocol/skills";
constexpr std::chrono::seconds patienceForList{120}, patienceForFiles{60};
constexpr std::size_t filesAtOnce = 16;
constexpr std::string_view digestScheme = "sha256:";
constexpr std::size_t digestBytes = 71; // with its scheme
constexpr std::uint64_t maxServedFileBytes = std::uint64_t{256} << 20U;

// A file's bytes may take six times as many in JSON, beside the rest of the answer.
std::size_t bytesInJson(std::uint64_t size) {
  return static_cast<std::size_t>(std::min(size, maxServedFileBytes)) * 6 +
         (std::size_t{64} << 10U);
}

const std::string *textMember(const Json &object, const char *name) {
  const Json &value = memberOf(object, name);
  return value.is_string() ? &value.get_ref<const std::string &>() : nullptr;
}

// Returns the URL without its query, which may hold a secret. A short digest of the query tells
// tenants apart that share the rest of the URL.
std::string serverOriginOf(const std::string &url) {
  const std::size_t mark = url.find('?');
  if (mark == std::string::npos) return url;
  constexpr std::size_t digits = 8; // too few to find out the secret
  return url.substr(0, mark) + "?sha256:" + sha256Hex(url.substr(mark + 1)).substr(0, digits);
}

// A skill of the list. Its URIs are as the server writes them.
struct ServedSkill {
  OfferedSkill offered;
  std::map<std::string, std::string> uris; // by path
};

// Returns the reason why the entry is no skill; empty if it is one.
std::string readEntry(const Json &entry, ServedSkill &skill) {
  const std::string &uri = *textMember(entry, "uri"); // the list is sorted by it
  if (const std::string *const name = textMember(memberOf(entry, "frontmatter"), "name"))
    skill.offered.name = *name;
  if (skill.offered.name.empty()) return "the server does not say its name";
  if (folderOfUri(uri).empty()) return "its URI does not end with /SKILL.md";
  const std::string *const folder = textMember(memberOf(entry, "_meta"), "org.skillhost/folder");
  skill.offered.uri = folder != nullptr ? *folder : folderOfUri(uri);
  const std::string root = folderOfUri(uri) + '/';
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
    if (digest == nullptr || digest->size() != digestBytes || !digest->starts_with(digestScheme) ||
        digest->find_first_not_of("0123456789abcdef", digestScheme.size()) != std::string::npos)
      return "the server gives no SHA-256 digest of " + shownWords(*path);
    skill.offered.files[*path] = {digest->substr(digestScheme.size()), std::nullopt,
                                  size.is_number_unsigned() ? size.get<std::uint64_t>() : 0};
    skill.uris[*path] = *file;
  }
  return {};
}

// Returns words of the server for people, cut to a line.
std::string shownReason(std::string_view words) {
  constexpr std::size_t most = 200; // bytes
  return shownWords(std::string(cutUtf8(words, most)));
}

// Takes the failures that skillhost names in a page of its list: skills that it leaves out, and
// sources, any of whose skills may be missing.
void leaveOutFailures(const Json &meta, OfferMaker &maker, std::string &whyIncomplete) {
  if (!memberOf(meta, "org.skillhost/loading").is_null())
    whyIncomplete = "the server is still loading its skills";
  const Json &failures = memberOf(meta, "org.skillhost/failures");
  if (failures.is_null()) return;
  if (!failures.is_array()) {
    whyIncomplete = "the server does not say in a known form what it leaves out";
    return;
  }
  for (const Json &failure : failures) {
    const std::string *const uri = textMember(failure, "uri");
    if (uri == nullptr && !memberOf(failure, "uri").is_null())
      whyIncomplete = "the server does not say in a known form what it leaves out";
    if (const std::string *const skill = textMember(failure, "skill")) {
      const std::string *const why = textMember(failure, "reason"); // older servers give none
      maker.leaveOutDamaged(shownWords(*skill),
                            why == nullptr || *why == "unreadable"
                                ? "the server cannot read it now"
                                : "the server leaves it out (" + shownReason(*why) + ')',
                            uri != nullptr ? *uri : std::string());
    } else if (memberOf(failure, "more_skills").is_number()) {
      constexpr const char *words = "the server leaves out more skills than it names";
      if (uri != nullptr && uri->ends_with('/'))
        maker.leaveOut(shownReason(*uri), words, *uri);
      else
        whyIncomplete = words;
    } else if (whyIncomplete.empty()) {
      const std::string *const source = textMember(failure, "source");
      whyIncomplete =
          "a source of the server failed" + (source != nullptr ? ": " + shownWords(*source) : "");
    }
  }
}

class ServerSource final : public SkillSource {
public:
  ServerSource(OpenServer open, const std::string &url, std::string version)
      : open_(std::move(open)), origin_(serverOriginOf(url)), version_(std::move(version)) {}

  std::string origin(const std::string &) const override { return origin_; }

  Offer offer() override {
    const Deadline deadline = Deadline::after(patienceForList);
    server_.reset();
    Result<GreetedServer> server = greet(open_, deadline, version_);
    if (!server) throw std::runtime_error(server.failure().message);
    server_.emplace(*std::move(server));
    if (!memberOf(memberOf(server_->capabilities, "extensions"), skillsExtension).is_object())
      throw std::runtime_error("the server does not have the extension " +
                               std::string(skillsExtension) + ", so it serves no whole skills");
    Result<Listing> listing = readListing(
        server_->conversation, {"skills/list", "skills", "uri", server_->params}, deadline);
    if (!listing) throw std::runtime_error(listing.failure().message);
    served_.clear();
    OfferMaker maker;
    for (const Json &entry : listing->entries) {
      ServedSkill skill;
      if (std::string wrong = readEntry(entry, skill); !wrong.empty()) {
        if (skill.offered.name.empty())
          maker.leaveOutUnnamed(shownWords(*textMember(entry, "uri")), std::move(wrong));
        else
          maker.leaveOut(shownWords(skill.offered.name), std::move(wrong), skill.offered.uri);
        continue;
      }
      const std::string name = skill.offered.name;
      if (maker.add(std::move(skill.offered))) served_[name] = std::move(skill.uris);
    }
    for (const std::string &remark : listing->remarks) maker.leaveOutUnnamed("", remark);
    std::string whyIncomplete;
    for (const Json &meta : listing->metas) leaveOutFailures(meta, maker, whyIncomplete);
    Offer offer = std::move(maker).finish();
    if (!whyIncomplete.empty()) offer.whyIncomplete = std::move(whyIncomplete);
    return offer;
  }

  FileBytes read(const OfferedSkill &skill) override {
    const std::map<std::string, std::string> &uris = served_.at(skill.name);
    std::vector<std::string> paths;
    for (const auto &[path, file] : skill.files) paths.push_back(path);
    FileBytes files;
    for (std::size_t begin = 0; begin < paths.size(); begin += filesAtOnce) {
      const std::size_t end = std::min(begin + filesAtOnce, paths.size());
      std::vector<Json> params;
      for (std::size_t i = begin; i < end; ++i) {
        Json one = server_->params;
        one["uri"] = uris.at(paths[i]);
        params.push_back(std::move(one));
        server_->conversation.allowMore(bytesInJson(skill.files.at(paths[i]).size));
      }
      Result<std::vector<Conversation::Reply>> replies = server_->conversation.askTogether(
          "resources/read", params, Deadline::after(patienceForFiles));
      if (!replies) throw std::runtime_error(replies.failure().message);
      for (std::size_t i = begin; i < end; ++i)
        files.emplace(paths[i], bytesIn((*replies)[i - begin], paths[i]));
    }
    return files;
  }

  // A server need not report changes of files, so it is asked again.
  void awaitChange(std::chrono::milliseconds atMost) override {
    std::this_thread::sleep_for(atMost);
  }

private:
  static std::string bytesIn(const Conversation::Reply &reply, const std::string &path) {
    if (reply.refusal)
      throw std::runtime_error(path + ": the server refuses to send it: " + reply.refusal->words);
    const Json &contents = memberOf(reply.result, "contents");
    const Json one = contents.is_array() && contents.size() == 1 ? contents[0] : Json();
    if (const std::string *const text = textMember(one, "text")) return *text;
    const std::string *const blob = textMember(one, "blob");
    std::optional<std::string> bytes = blob != nullptr ? decodeBase64(*blob) : std::nullopt;
    if (!bytes) throw std::runtime_error(path + ": the server's answer has no content");
    return *std::move(bytes);
  }

  const OpenServer open_;
  const std::string origin_, version_;
  std::optional<GreetedServer> server_;                              // of the last offer
  std::map<std::string, std::map<std::string, std::string>> served_; // URIs, by name and path
};

} // namespace

std::unique_ptr<SkillSource> serverSource(OpenServer open, const std::string &url,
                                          std::string version) {
  return std::make_unique<ServerSource>(std::move(open), url, std::move(version));
}

} // namespace skillhost::sync
