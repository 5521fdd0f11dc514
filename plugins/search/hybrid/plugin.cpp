// SPDX-License-Identifier: Apache-2.0
#include "embedding/installed_models.hpp"
#include "explanation.hpp"
#include "fusion.hpp"
#include "keyword/configuration.hpp"
#include "meaning.hpp"
#include "passage.hpp"
#include "schema.hpp"

#include <skillhost/config.hpp>
#include <skillhost/explain.hpp>
#include <skillhost/held.hpp>
#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost::hybrid {
namespace {

using keyword::refusing;

// Returns the folder of the model to use without a setting; empty: none is installed.
std::string installedModel(const skh::Host &host) {
  const auto places = embedding::modelPlaces(embedding::installationOfThisProcess());
  const embedding::InstalledModels installed = embedding::installedModels(places);
  if (!installed.folders.empty()) return installed.folders.front();
  for (const std::string &problem : installed.problems)
    host.log(SKH_WARN, problem + ": no model is looked for there; with search.isolation: process "
                                 "name the folder in search.allow_read");
  return {};
}

MeaningOptions meaningFrom(const skh::Host &host, const skh::Config &config) {
  MeaningOptions options;
  options.model = config.has("model") ? config.text("model") : installedModel(host);
  options.instructions = config.text("instructions", options.instructions);
  if (config.has("query_prefix")) options.queryPrefix = config.text("query_prefix");
  if (config.has("passage_prefix")) options.passagePrefix = config.text("passage_prefix");
  if (!host.cacheDir().empty()) options.cacheFile = std::string(host.cacheDir()) + "/vectors";
  return options;
}

FusionOptions fusionFrom(const skh::Config &config) {
  FusionOptions options;
  options.meaningWeight = config.number("meaning_weight", options.meaningWeight);
  options.trustInWords = config.number("trust_in_words", options.trustInWords);
  options.sentenceWeight = config.number("best_sentence_weight", options.sentenceWeight);
  options.minCosine = config.number("least_cosine", options.minCosine);
  return options;
}

constexpr const char *withoutModel =
    "; skills are found by words alone. `skillhost model check DIR` names every fault of a model's "
    "folder, `skillhost model fetch` gets a model";

class Hybrid final : public skh::Search, public skh::Held, public skh::Explain {
public:
  Hybrid(skh::Host host, const skh::Call & /*call*/)
      : host_(host), health_(host), fusion_(fusionFrom(skh::Config(host))),
        words_(refusing([&host, this] {
          return keyword::Index(keyword::optionsFrom(skh::Config(host)), keyword::folderOf(host),
                                keyword::noticesOf(host, health_));
        })) {
    const skh::Config config(host);
    isAutomatic_ = config.flag("automatic", false);
    MeaningOptions options = meaningFrom(host, config);
    model_ = options.model;
    if (model_.empty()) {
      host.log(SKH_INFO, "skills are found by words alone, because no model is installed: "
                         "`skillhost model fetch` gets one, which the next start uses");
      return;
    }
    tellHealth(SKH_STARTING, "the model is being read");
    meaning_ = std::make_unique<Meaning>(std::move(options),
                                         [this](const MeaningProgress &now) { tell(now); });
    // The host does not put kept entries again, so they are put here.
    const std::shared_ptr<const keyword::Snapshot> kept = words_.snapshot();
    kept->forEach([&](std::size_t place) {
      const keyword::Entry entry = kept->entry(place);
      meaning_->put(entry.id, passageOf(entry.name, entry.description));
    });
    if (kept->size() > 0) meaning_->commit();
  }

  void put(const skh::Call & /*call*/, const skh::EntryText &entry) override {
    beforeChange();
    refusing([&] {
      words_.put(
          {entry.id, entry.name, entry.description, entry.body, entry.attributes, entry.revision});
    });
    if (meaning_) meaning_->put(entry.id, passageOf(entry.name, entry.description));
  }
  void remove(const skh::Call & /*call*/, std::string_view id) override {
    beforeChange();
    words_.remove(id);
    if (meaning_) meaning_->remove(id);
  }

  void commit(const skh::Call &call, std::string_view generation) override {
    beforeChange();
    words_.commit(generation, [&call] { call.point(); });
    host_.gauge("entries", static_cast<double>(words_.snapshot()->size()));
    if (meaning_) meaning_->commit();
  }
  std::string generation(const skh::Call & /*call*/) override { return words_.generation(); }

  void query(const skh::Call &call, std::string_view text, std::string_view filterJson,
             std::uint32_t limit, const skh::Hits &out) override {
    const auto checkpoint = [&call] { call.point(); };
    const std::unique_ptr<QuestionVectors> question =
        meaning_ ? meaning_->question(text, checkpoint) : nullptr;
    if (!question) {
      for (const keyword::Hit &hit :
           refusing([&] { return words_.query(text, filterJson, limit, checkpoint); }))
        out.add({hit.id, hit.score, hit.snippet});
      return;
    }
    const keyword::Search words =
        refusing([&] { return words_.search(text, filterJson, checkpoint); });
    for (const Fused &hit : fuse(words, *question, *meaning_, fusion_, limit, checkpoint))
      out.add({words.entries().id(hit.entry), hit.score, words.snippet(hit.entry)});
  }

  void held(const skh::Call & /*call*/, const skh::HeldEntries &out) override {
    kept_.tell(words_, out);
  }

  std::string explain(const skh::Call &call, std::string_view text, std::string_view id) override {
    const auto why =
        explained(words_, meaning_.get(), fusion_, text, id, [&call] { call.point(); });
    if (!why) throw skh::Error(SKH_NOT_FOUND, "no entry has the id " + std::string(id));
    return why->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  std::string settle(const skh::Call &call) override {
    // Nobody asked for a model then.
    if (!meaning_ && isAutomatic_) return {};
    const std::string lacks =
        !meaning_
            ? "no model is installed: `skillhost model fetch` gets one"
            : meaning_->settle([&call](const MeaningProgress &now) {
                if (std::chrono::steady_clock::now() >= call.deadline())
                  throw skh::Error(SKH_DEADLINE, std::to_string(now.embedded) + " of " +
                                                     std::to_string(now.entries) + " are embedded");
                call.point();
                call.progress(now.embedded, now.entries, "embedding");
              });
    const bool byWords = !meaning_ || !meaning_->progress().hasModel;
    return byWords ? "skills are found by words alone: " + lacks : lacks;
  }

private:
  void beforeChange() {
    kept_.beforeChange([this] {
      words_.clear();
      if (meaning_) meaning_->clear();
    });
  }

  // Only the thread of `meaning_` calls this.
  void tell(const MeaningProgress &now) {
    host_.gauge("entries_to_embed", static_cast<double>(now.entries - now.embedded));
    host_.gauge("entries_embedded", static_cast<double>(now.embedded));
    if (wasTold_ && now.problem == lastReported_) return;
    wasTold_ = true;
    lastReported_ = now.problem;
    if (lastReported_.empty()) {
      host_.log(SKH_INFO, "skills are found by words and by meaning, with the model " + model_);
      return tellHealth(SKH_HEALTHY, {});
    }
    const std::string text = now.hasModel ? lastReported_ : lastReported_ + withoutModel;
    tellHealth(SKH_DEGRADED, text);
    host_.log(SKH_WARN, text);
  }

  void tellHealth(std::int32_t state, std::string why) {
    health_.tell(keyword::Health::Part::Meaning, state, std::move(why));
  }

  skh::Host host_;
  keyword::Health health_;
  const FusionOptions fusion_;
  keyword::Index words_;
  keyword::KeptEntries kept_;
  bool isAutomatic_ = false; // search.plugin is auto
  std::string model_;        // folder of the model; empty: none
  std::string lastReported_; // this and the next: only for the thread of `meaning_`
  bool wasTold_ = false;
  std::unique_ptr<Meaning> meaning_; // last, because its thread uses the others
};

} // namespace
} // namespace skillhost::hybrid

SKH_PLUGIN((skh::withExtensions<skh::HeldOps<skillhost::hybrid::Hybrid>,
                                skh::ExplainOps<skillhost::hybrid::Hybrid>>(
    skh::search<skillhost::hybrid::Hybrid>("org.skillhost.hybrid", "1.0.0",
                                           "Ranks skills by words and by meaning",
                                           skillhost::hybrid::schema,
                                           SKH_CALIBRATED | SKH_SHARES_CACHE))));
