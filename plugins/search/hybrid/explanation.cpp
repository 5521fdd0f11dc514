// SPDX-License-Identifier: Apache-2.0
#include "explanation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace skillhost::hybrid {
namespace {

// Greatest number of hits that a question can have.
constexpr std::size_t maxHits = 100;

nlohmann::json nearness(const Meaning &meaning, const QuestionVectors &question,
                        std::string_view text, const std::string &id) {
  const std::shared_ptr<const VectorView> view = meaning.table().view();
  const std::optional<Place> place = meaning.table().find(id);
  if (!place || !view->holds(*place, id)) return {{"missing", "it has no vector yet"}};
  const auto cosine = [&](const QuantisedVector &vector) {
    return static_cast<double>(view->cosine(*place, vector, meaning.kernels()));
  };
  nlohmann::json near{{"whole", cosine(question.whole)}};
  const std::vector<std::string_view> sentences = keyword::sentencesOf(text);
  for (std::size_t at = 0; at < std::min(question.sentences.size(), sentences.size()); ++at) {
    const double each = cosine(question.sentences[at]);
    if (!near.contains("best_sentence") || each > near["best_sentence"]["cosine"].get<double>())
      near["best_sentence"] = {{"text", sentences[at]}, {"cosine", each}};
  }
  return near;
}

} // namespace

std::optional<nlohmann::json> explained(const keyword::Index &words, const Meaning *meaning,
                                        const FusionOptions &options, std::string_view text,
                                        std::string_view id,
                                        const std::function<void()> &checkpoint) {
  const auto byWords = words.explain(text, id, checkpoint);
  if (!byWords) return std::nullopt;
  nlohmann::json json = keyword::toJson(*byWords);
  const std::unique_ptr<QuestionVectors> question =
      meaning == nullptr ? nullptr : meaning->question(text, checkpoint);
  if (!question) return json;
  json["score_by_words"] = json["score"];
  json.erase("score"); // set below if the entry is among the hits
  json["calibrated"].erase("score");
  json["meaning"] = nearness(*meaning, *question, text, std::string(id));
  const keyword::Search search = words.search(text, {}, checkpoint);
  for (const Fused &hit : fuse(search, *question, *meaning, options, maxHits, checkpoint)) {
    if (search.entries().id(hit.entry) != id) continue;
    json["score"] = hit.fused;
    json["calibrated"]["score"] = hit.score;
    if (hit.nearest) json["calibrated"]["cosine"] = *hit.nearest;
    if (json["meaning"].contains("whole")) json["meaning"]["cosine"] = hit.cosine;
    json["fusion"] = {
        {"words", hit.ofWords}, {"meaning", hit.fused - hit.ofWords}, {"score", hit.fused}};
  }
  return json;
}

} // namespace skillhost::hybrid
