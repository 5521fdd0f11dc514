// SPDX-License-Identifier: Apache-2.0
#include "server_source.hpp"

#include "ground/json_member.hpp"
#include "ground/sha256.hpp"
#include "mcp_client/greeting.hpp"
#include "mcp_client/listed_skill.hpp"
#include "mcp_client/listing.hpp"

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

constexpr std::chrono::seconds patienceForList{120}, patienceForFiles{60};
constexpr std::size_t filesAtOnce = 16;

// Returns the URL without its query, which may hold a secret. A short digest of the query tells
// tenants apart that share the rest of the URL.
std::string serverOriginOf(const std::string &url) {
  const std::size_t mark = url.find('?');
  if (mark == std::string::npos) return url;
  constexpr std::size_t digits = 8; // too few to find out the secret
  return url.substr(0, mark) + "?sha256:" + sha256Hex(url.substr(mark + 1)).substr(0, digits);
}

// A skill of the list. Its URIs are as the server writes them.
struct TakenSkill {
  OfferedSkill offered;
  std::map<std::string, std::string> uris; // by path
};

// Returns the reason why the entry is no skill; empty if it is one.
std::string readEntry(const Json &entry, TakenSkill &listed) {
  ListedSkill skill;
  std::string wrong = readListedSkill(entry, skill);
  listed.offered.name = std::move(skill.name);
  listed.offered.uri = std::move(skill.folder);
  for (auto &[path, file] : skill.files) {
    listed.offered.files[path] = {std::move(file.digest), std::nullopt, file.size.value_or(0)};
    listed.uris[path] = std::move(file.uri);
  }
  return wrong;
}

// Takes the failures that skillhost names in a page of its list: skills that it leaves out, and
// sources, any of whose skills may be missing.
void leaveOutFailures(const Json &meta, OfferMaker &maker, std::string &whyIncomplete) {
  MissingSkills missing = readMissingSkills(meta);
  for (const MissingSkills::Skill &skill : missing.skills)
    maker.leaveOutDamaged(skill.name, skill.why, skill.uri);
  for (const std::string &folder : missing.folders)
    maker.leaveOut(shownWords(folder), missingMoreWords, folder);
  if (!missing.why.empty()) whyIncomplete = std::move(missing.why);
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
    if (const Status has = requireSkillsExtension(server_->capabilities); !has)
      throw std::runtime_error(has.failure().message);
    Result<Listing> listing = readListing(
        server_->conversation, {"skills/list", "skills", "uri", server_->params}, deadline);
    if (!listing) throw std::runtime_error(listing.failure().message);
    served_.clear();
    OfferMaker maker;
    for (const Json &entry : listing->entries) {
      TakenSkill skill;
      if (std::string wrong = readEntry(entry, skill); !wrong.empty()) {
        if (skill.offered.name.empty())
          maker.leaveOutUnnamed(shownWords(memberText(entry, "uri")), std::move(wrong));
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
        server_->conversation.allowMore(answerBytesFor(skill.files.at(paths[i]).size));
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
    Result<std::string> content = contentIn(reply);
    if (!content) throw std::runtime_error(path + ": " + content.failure().message);
    return *std::move(content);
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
