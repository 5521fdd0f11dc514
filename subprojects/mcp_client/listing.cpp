// SPDX-License-Identifier: Apache-2.0
#include "mcp_client/listing.hpp"

#include "ground/json_member.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxEntries = 10'000, maxPages = 1'000, maxRemarks = 20;
constexpr std::size_t maxKeyBytes = 4'096;
constexpr int methodUnknown = -32601;

class PageReader {
public:
  explicit PageReader(const ListingRequest &request) : request_(request) {}

  // Returns the fault of the page; empty: none.
  std::string takePage(Json &result) {
    const auto entries = result.find(request_.member);
    if (entries == result.end() || !entries->is_array())
      return "the answer has no list \"" + request_.member + '"';
    if (const Json &meta = memberOf(result, "_meta"); !meta.is_null()) metas_.push_back(meta);
    for (Json &entry : *entries) {
      isCut_ = request_.mostEntries != 0 && byKey_.size() == request_.mostEntries;
      if (isCut_) return {};
      if (request_.mostEntries == 0 && byKey_.size() == maxEntries)
        return "there are more than 10,000 entries";
      take(std::move(entry));
    }
    return {};
  }

  bool isCut() const noexcept { return isCut_; }
  Listing listing() && {
    Listing listing;
    for (auto &[key, entry] : byKey_) listing.entries.push_back(std::move(entry));
    if (leftOut_ > maxRemarks)
      remarks_.push_back(request_.method + ": " + std::to_string(leftOut_ - maxRemarks) +
                         " more entries are left out");
    listing.remarks = std::move(remarks_);
    listing.metas = std::move(metas_);
    listing.isCut = isCut_;
    return listing;
  }

private:
  void take(Json entry) {
    const auto key = entry.is_object() ? entry.find(request_.key) : entry.end();
    if (!entry.is_object() || key == entry.end() || !key->is_string() ||
        key->get_ref<const std::string &>().empty())
      return remark("an entry without a text \"" + request_.key + "\" is left out");
    std::string name = key->get<std::string>();
    if (name.size() > maxKeyBytes)
      return remark("an entry is left out whose \"" + request_.key + "\" has " +
                    std::to_string(name.size()) + " bytes");
    const std::string shown = shownWords(name);
    if (!byKey_.emplace(std::move(name), std::move(entry)).second)
      remark("\"" + shown + "\" is listed twice; the first is taken");
  }
  void remark(const std::string &what) {
    if (++leftOut_ <= maxRemarks) remarks_.push_back(request_.method + ": " + what);
  }

  const ListingRequest &request_;
  std::map<std::string, Json> byKey_;
  std::vector<Json> metas_;
  std::vector<std::string> remarks_;
  std::size_t leftOut_ = 0;
  bool isCut_ = false;
};

Failure wrongListing(const ListingRequest &request, const std::string &what) {
  return {Fault::InvalidFormat, request.method + ": " + what};
}

} // namespace

Result<Listing> readListing(Conversation &conversation, const ListingRequest &request,
                            Deadline deadline) {
  PageReader reader(request);
  std::set<std::string> cursors;
  Json params = request.params;
  const std::size_t mostPages = std::max(maxPages, request.mostEntries);
  for (std::size_t page = 0; page < mostPages; ++page) {
    Result<Conversation::Reply> reply = conversation.ask(request.method, params, deadline);
    if (!reply) return reply.failure();
    if (reply->refusal && reply->refusal->code == methodUnknown && page == 0)
      return Listing{{}, {request.method + ": the server declares it and does not know it"}, {}};
    if (reply->refusal)
      return wrongListing(request, "the server answers with error " +
                                       std::to_string(reply->refusal->code) + ": " +
                                       reply->refusal->words);
    if (const std::string wrong = reader.takePage(reply->result); !wrong.empty())
      return wrongListing(request, wrong);
    const auto next = reply->result.find("nextCursor");
    if (reader.isCut() || next == reply->result.end() || next->is_null())
      return std::move(reader).listing();
    if (!next->is_string()) return wrongListing(request, "nextCursor is no text");
    if (!cursors.insert(next->get<std::string>()).second)
      return wrongListing(request, "the pages lead in a circle: a cursor comes twice");
    params["cursor"] = *next;
  }
  return wrongListing(
      request, "there are more than " +
                   (mostPages == maxPages ? std::string("1,000") : std::to_string(mostPages)) +
                   " pages");
}

} // namespace skillhost
