// SPDX-License-Identifier: Apache-2.0
#include "configuration.hpp"

#include <cstdint>
#include <string>

namespace skillhost::keyword {

Options optionsFrom(const skh::Config &config) {
  Options options;
  options.language = config.text("language", options.language);
  if (config.has("stop_words")) options.stopWords = config.texts("stop_words");
  const std::int64_t bytes =
      config.integer("body_bytes", static_cast<std::int64_t>(options.bodyBytes));
  if (bytes < 0) throw skh::Error(SKH_INVALID, "body_bytes: must not be negative");
  options.bodyBytes = static_cast<std::size_t>(bytes);
  const auto number = [&config](const char *key, double &value, int maximum) {
    value = config.number(key, value);
    // The condition is written so that it refuses NaN, too.
    // NOLINTNEXTLINE(readability-simplify-boolean-expr)
    if (!(value >= 0 && value <= maximum))
      throw skh::Error(SKH_INVALID,
                       std::string(key) + ": must be from 0 to " + std::to_string(maximum));
  };
  number("name_weight", options.nameWeight, 100);
  number("keywords_weight", options.keywordsWeight, 100);
  number("description_weight", options.descriptionWeight, 100);
  number("body_weight", options.bodyWeight, 100);
  number("body_commonness", options.bodyCommonness, 1);
  number("k1", options.k1, 10);
  number("b", options.b, 1);
  number("request_word_weight", options.requestWordWeight, 1);
  number("similarity_weight", options.similarityWeight, 10);
  number("sentence_weight", options.sentenceWeight, 1);
  return options;
}

std::string folderOf(const skh::Host &host) {
  return host.cacheDir().empty() ? std::string() : std::string(host.cacheDir()) + "/index";
}

Tell noticesOf(const skh::Host &host, Health &health) {
  return [host, &health](Notice notice, const std::string &text) {
    const bool isWarning = notice == Notice::Warning || notice == Notice::NotKept;
    host.log(isWarning ? SKH_WARN : SKH_INFO, text);
    if (notice == Notice::NotKept) health.tell(Health::Part::Index, SKH_DEGRADED, text);
    if (notice == Notice::Kept) health.tell(Health::Part::Index, SKH_HEALTHY, {});
  };
}

void KeptEntries::tell(const Index &index, const skh::HeldEntries &out) {
  const std::scoped_lock lock(deciding_);
  const std::shared_ptr<const Snapshot> visible = index.snapshot();
  visible->forEach([&](std::size_t place) {
    const Entry entry = visible->entry(place);
    out.add(entry.id, entry.revision);
  });
  isDecided_ = true; // only now, because the host ignores a list that was cut short
}

} // namespace skillhost::keyword
