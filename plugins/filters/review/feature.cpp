// SPDX-License-Identifier: Apache-2.0
#include "review/feature.hpp"

#include "base/log.hpp"
#include "ground/counted.hpp"
#include "plugin_directories.hpp"
#include "review/configured.hpp"
#include "review/review_json.hpp"
#include "review/review_metrics.hpp"
#include "review_resource.hpp"
#include "review_skill.hpp"
#include "withdrawals.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::string_view nameOfFilter = "review";

// Returns the folder `name` of the cache; empty if there is none.
std::string cacheFolder(const char *name) {
  const std::string folder = hostCacheDirectory();
  return folder.empty() ? folder : folder + '/' + name;
}

// Throws std::runtime_error.
ReviewSettings reviewSettings(const Configuration &configuration) {
  const FeatureSettings &from = configuration.features;
  Result<ApprovalsKeys> keys = approvalsKeys(from);
  if (!keys) throw std::runtime_error(keys.failure().message);
  return {trustRules(from), approvalsFile(from), cacheFolder("reviewed"), *std::move(keys),
          cacheFolder("findings")};
}

// Applies the rules of trust of the start; a changed configuration does not change them.
class ReviewWrapper final : public SourceWrapper {
public:
  explicit ReviewWrapper(Reviews &reviews) : reviews_(reviews) {}
  std::shared_ptr<Source> wrap(std::shared_ptr<Source> source) const override {
    return reviews_.filtered(std::move(source));
  }
  // A changed configuration does not change the reviews, and there is only one object of them.
  std::string mark(const std::string & /*source*/) const override { return {}; }

private:
  Reviews &reviews_;
};

class ReviewFilter final : public SourceFilter {
public:
  ReviewFilter(const Configuration &configuration, const ShareState &share)
      : reviews_(std::make_shared<Reviews>(reviewSettings(configuration))),
        wrapper_(std::make_shared<const ReviewWrapper>(*reviews_)),
        figures_(collectReviews(metrics::all(), *reviews_)) {
    if (!reviews_->hasRules()) return;
    // A skill that was rejected at another replica must not be served here first.
    const Result<std::shared_ptr<SharedStore>> shared = share();
    if (!shared)
      reviews_->reportNoEngine("the engine that keeps the decisions cannot be used: " +
                               shared.failure().message);
    else if (*shared)
      reviews_->shareThrough(*shared, configuration.state.prefix);
  }

  const std::shared_ptr<Reviews> &reviews() const noexcept { return reviews_; }

  std::shared_ptr<const SourceWrapper> wrapper(const Configuration & /*configuration*/) override {
    return wrapper_;
  }
  void reload() override {
    if (const Status read = reviews_->reload(); !read)
      logLine(LogLevel::Error, read.failure().message + "; the previous decisions stay in force");
  }
  Json searchMark(const Configuration & /*configuration*/) const override {
    // With rules of trust, other skills are indexed than without them.
    return reviews_->hasRules() ? Json::array({reviews_->file()}) : Json::array();
  }
  bool withholds() const noexcept override { return reviews_->hasRules(); }
  std::vector<WithheldSkill> withheld() const override;
  void logWithheld() const override;
  void logObstacles() const override;
  Readiness readiness() const override { return reviews_->readiness(); }
  std::vector<FeatureTool> tools() override {
    return {{&reviewTool,
             [this](const ToolCall &tool) { runReviewSkill(tool, *reviews_, withdrawals_); }}};
  }
  std::vector<OwnResource> resources() override { return {reviewResource(*reviews_)}; }
  void catalogueChanged(const Catalogue &now) override { withdrawals_.catalogueChanged(now); }
  void stop() override { reviews_->stopSharing(); }

private:
  // The lines go to the log alone: clients that receive log messages would read about skills that
  // are withheld from them.
  static void logLine(LogLevel level, const std::string &text) {
    log::write(level, nameOfFilter, text, {}, log::Audience::Log);
  }

  const std::shared_ptr<Reviews> reviews_;
  const std::shared_ptr<const ReviewWrapper> wrapper_;
  Withdrawals withdrawals_;
  metrics::Registry::Collector figures_; // last, because it reads the reviews
};

std::vector<WithheldSkill> ReviewFilter::withheld() const {
  std::vector<WithheldSkill> withheld;
  for (const ReviewPointer &review : reviews_->list())
    if (isHeldBack(*review))
      withheld.push_back(
          {review->id, review->source, review->path, review->name, review->judgement.reason});
  return withheld;
}

void ReviewFilter::logWithheld() const {
  const std::size_t held = countWithheld(*reviews_);
  if (held == 0) return;
  logLine(LogLevel::Info, counted(held, "skill") + (held == 1 ? " is" : " are") +
                              " held back for review: skillhost review list says why");
}

void ReviewFilter::logObstacles() const {
  if (!reviews_->hasRules()) return; // another filter has reviewers
  if (reviews_->requiresSignatures())
    log::info(nameOfFilter,
              "review_skill cannot approve or reject skills, because trust.approvals_keys requires "
              "signatures and a server has no secret key: decide with skillhost review");
  else if (!reviews_->canWrite())
    log::warning(nameOfFilter,
                 reviews_->file() +
                     ": the server may not write to the folder of this file, so review_skill "
                     "cannot approve or reject skills: set trust.approvals to a file in a folder "
                     "that the server may write to");
}

FilterKind reviewFilterOf(std::function<void(const std::shared_ptr<Reviews> &)> onMade) {
  return {
      nameOfFilter,
      [onMade = std::move(onMade)](const Configuration &configuration, const ShareState &share) {
        const auto filter = std::make_shared<ReviewFilter>(configuration, share);
        if (onMade) onMade(filter->reviews());
        return filter;
      },
      {std::string(reviewTool.name)}};
}

} // namespace

FilterKind reviewFilter() { return reviewFilterOf({}); }

HostFeatures keepingReviews(HostFeatures features, std::shared_ptr<Reviews> &reviews) {
  for (FilterKind &kind : features.filters)
    if (kind.name == nameOfFilter)
      kind = reviewFilterOf([&reviews](const std::shared_ptr<Reviews> &made) { reviews = made; });
  return features;
}

} // namespace skillhost::app
