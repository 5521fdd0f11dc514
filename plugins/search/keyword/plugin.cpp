// SPDX-License-Identifier: Apache-2.0
#include "index.hpp"
#include "schema.hpp"

#include <skillhost/config.hpp>
#include <skillhost/plugin.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace skillhost::keyword {
namespace {

Options optionsFrom(const skh::Config &config) {
  Options options;
  options.language = config.text("language", options.language);
  if (config.has("stop_words")) options.stopWords = config.texts("stop_words");
  const std::int64_t bytes =
      config.integer("body_bytes", static_cast<std::int64_t>(options.bodyBytes));
  if (bytes < 0) throw skh::Error(SKH_INVALID, "body_bytes: must not be negative");
  options.bodyBytes = static_cast<std::size_t>(bytes);
  const auto number = [&config](const char *key, double &value, int most) {
    value = config.number(key, value);
    // Put so that what is not a number is refused too.
    // NOLINTNEXTLINE(readability-simplify-boolean-expr)
    if (!(value >= 0 && value <= most))
      throw skh::Error(SKH_INVALID,
                       std::string(key) + ": must be from 0 to " + std::to_string(most));
  };
  number("name_weight", options.nameWeight, 100);
  number("keywords_weight", options.keywordsWeight, 100);
  number("description_weight", options.descriptionWeight, 100);
  number("body_weight", options.bodyWeight, 100);
  number("k1", options.k1, 10);
  number("b", options.b, 1);
  number("request_word_weight", options.requestWordWeight, 1);
  number("similarity_weight", options.similarityWeight, 10);
  number("sentence_weight", options.sentenceWeight, 1);
  return options;
}

// The core says std::invalid_argument for what the caller got wrong.
template <class Body> decltype(auto) refusing(Body &&body) {
  try {
    return body();
  } catch (const std::invalid_argument &error) {
    throw skh::Error(SKH_INVALID, error.what());
  }
}

class Keyword final : public skh::Search {
public:
  Keyword(skh::Host host, const skh::Call & /*call*/)
      : host_(host), index_(refusing([&host] { return Index(optionsFrom(skh::Config(host))); })) {}

  void put(const skh::Call & /*call*/, const skh::EntryText &entry) override {
    refusing([&] {
      index_.put({entry.id, entry.name, entry.description, entry.body, entry.attributes});
    });
  }
  void remove(const skh::Call & /*call*/, std::string_view id) override { index_.remove(id); }

  void commit(const skh::Call &call, std::string_view generation) override {
    index_.commit(generation, [&call] { call.point(); });
    host_.gauge("entries", static_cast<double>(index_.snapshot()->entries.size()));
  }
  std::string generation(const skh::Call & /*call*/) override { return index_.generation(); }

  void query(const skh::Call &call, std::string_view text, std::string_view filterJson,
             std::uint32_t limit, const skh::Hits &out) override {
    const std::vector<Hit> hits =
        refusing([&] { return index_.query(text, filterJson, limit, [&call] { call.point(); }); });
    for (const Hit &hit : hits) out.add({hit.id, hit.score, hit.snippet});
  }

private:
  skh::Host host_;
  Index index_;
};

} // namespace
} // namespace skillhost::keyword

SKH_PLUGIN(skh::search<skillhost::keyword::Keyword>("org.skillhost.keyword", "1.0.0",
                                                    "Ranks skills by keywords: BM25 over fields",
                                                    skillhost::keyword::schema));
