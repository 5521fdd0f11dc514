// SPDX-License-Identifier: Apache-2.0
#include "keyword/configuration.hpp"
#include "keyword/index.hpp"
#include "schema.hpp"

#include <skillhost/explain.hpp>
#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace skillhost::keyword {
namespace {

class Keyword final : public skh::Search, public skh::Held, public skh::Explain {
public:
  Keyword(skh::Host host, const skh::Call & /*call*/)
      : host_(host), health_(host), index_(refusing([&host, this] {
          return Index(optionsFrom(skh::Config(host)), folderOf(host), noticesOf(host, health_));
        })) {
    tellEntries();
  }

  void put(const skh::Call & /*call*/, const skh::EntryText &entry) override {
    kept_.beforeChange([this] { index_.clear(); });
    refusing([&] {
      index_.put(
          {entry.id, entry.name, entry.description, entry.body, entry.attributes, entry.revision});
    });
  }
  void remove(const skh::Call & /*call*/, std::string_view id) override {
    kept_.beforeChange([this] { index_.clear(); });
    index_.remove(id);
  }

  void commit(const skh::Call &call, std::string_view generation) override {
    kept_.beforeChange([this] { index_.clear(); });
    index_.commit(generation, [&call] { call.point(); });
    tellEntries();
  }
  std::string generation(const skh::Call & /*call*/) override { return index_.generation(); }

  void query(const skh::Call &call, std::string_view text, std::string_view filterJson,
             std::uint32_t limit, const skh::Hits &out) override {
    const std::vector<Hit> hits =
        refusing([&] { return index_.query(text, filterJson, limit, [&call] { call.point(); }); });
    for (const Hit &hit : hits) out.add({hit.id, hit.score, hit.snippet});
  }

  void held(const skh::Call & /*call*/, const skh::HeldEntries &out) override {
    kept_.tell(index_, out);
  }

  std::string explain(const skh::Call &call, std::string_view text, std::string_view id) override {
    const auto why = index_.explain(text, id, [&call] { call.point(); });
    if (!why) throw skh::Error(SKH_NOT_FOUND, "no entry has the id " + std::string(id));
    return toJson(*why).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

private:
  void tellEntries() const {
    host_.gauge("entries", static_cast<double>(index_.snapshot()->size()));
  }

  skh::Host host_;
  Health health_;
  Index index_;
  KeptEntries kept_;
};

} // namespace
} // namespace skillhost::keyword

SKH_PLUGIN((skh::withExtensions<skh::HeldOps<skillhost::keyword::Keyword>,
                                skh::ExplainOps<skillhost::keyword::Keyword>>(
    skh::search<skillhost::keyword::Keyword>("org.skillhost.keyword", "1.0.0",
                                             "Ranks skills by keywords: BM25 over fields",
                                             skillhost::keyword::schema,
                                             SKH_CALIBRATED | SKH_SHARES_CACHE))));
