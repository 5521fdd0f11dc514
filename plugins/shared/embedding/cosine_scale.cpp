// SPDX-License-Identifier: Apache-2.0
#include "cosine_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace skillhost::embedding {
namespace {

// No skill below answers any of these questions. A change of a text changes the scale of every
// model.
constexpr std::array<const char *, 24> everydayQuestions{
    "How far is the moon from the earth?",
    "Who won the match last night?",
    "Tell me a joke about cats.",
    "What should I cook for dinner today?",
    "How old is my grandmother if she was born in 1941?",
    "When does the next train to the coast leave?",
    "Write a birthday card for my neighbour.",
    "Why do leaves turn red in autumn?",
    "Recommend a film for a rainy evening.",
    "How do I get a wine stain out of a shirt?",
    "What is the capital of Mongolia?",
    "Is it safe to swim after a meal?",
    "Sing me a song about the sea.",
    "How many players does a volleyball team have?",
    "Which wine goes with fish?",
    "My back hurts, what can I do?",
    "Where can I buy a used bicycle?",
    "Explain why the sky is blue.",
    "Name three rivers in Africa.",
    "What does my horoscope say this week?",
    "How long must an egg boil?",
    "Who painted the ceiling of the Sistine Chapel?",
    "Give my puppy a name.",
    "What time is it in Tokyo now?"};

constexpr std::array<const char *, 24> skillDescriptions{
    "pdf forms: Fill in the fields of a PDF form and save the document.",
    "code review: Review a pull request and point out bugs, risks and missing tests.",
    "spreadsheets: Read, change and create spreadsheets with formulas and charts.",
    "database migration: Plan and write migrations of a relational database without downtime.",
    "release notes: Write release notes from the commits since the last version.",
    "container images: Build small container images and find out why they do not start.",
    "log analysis: Search log files for errors and summarise what went wrong.",
    "slides: Create presentations with a consistent layout from an outline.",
    "api client: Generate a typed client from the description of a web service.",
    "terraform: Write and check infrastructure as code for cloud providers.",
    "data cleaning: Find duplicates and wrong values in a table and correct them.",
    "unit tests: Write tests for a function and measure what they cover.",
    "translation: Translate the texts of a user interface and keep placeholders.",
    "incident report: Write a report about an outage with its causes and measures.",
    "git history: Rewrite, split and combine commits safely.",
    "accessibility: Check web pages for people who use screen readers.",
    "images: Resize, crop and convert images in bulk.",
    "security audit: Look for secrets and known vulnerabilities in dependencies.",
    "meeting minutes: Turn a transcript into minutes with decisions and tasks.",
    "style guide: Apply a company's style guide to its documents.",
    "kubernetes: Deploy services to a cluster and debug pods that crash.",
    "machine learning: Train a model, compare its results and record experiments.",
    "email drafts: Write polite answers to customers.",
    "diagrams: Draw diagrams of architectures and sequences from text."};

std::vector<double> cosinesOf(const std::vector<std::vector<float>> &questions,
                              const std::vector<std::vector<float>> &texts) {
  std::vector<double> cosines;
  cosines.reserve(questions.size() * texts.size());
  for (const std::vector<float> &question : questions)
    for (const std::vector<float> &text : texts) {
      if (question.size() != text.size())
        throw std::invalid_argument("vectors of different lengths have no cosine");
      double product = 0;
      for (std::size_t at = 0; at < text.size(); ++at)
        product += static_cast<double>(question[at]) * text[at];
      cosines.push_back(product);
    }
  return cosines;
}

template <std::size_t count>
std::vector<std::vector<float>> vectorsOf(const Encoder &encoder, const std::string &prefix,
                                          const std::array<const char *, count> &texts,
                                          const std::function<void()> &checkpoint) {
  Encoder::Workspace workspace;
  std::vector<std::vector<float>> vectors;
  for (const char *text : texts) {
    checkpoint();
    vectors.push_back(encoder.embed(prefix + text, workspace));
  }
  return vectors;
}

constexpr double middle = 0.5;

} // namespace

CosineScale::CosineScale(std::vector<double> cosines) : cosines_(std::move(cosines)) {
  if (cosines_.empty()) throw std::invalid_argument("a scale needs at least one cosine");
  std::sort(cosines_.begin(), cosines_.end());
}

CosineScale::CosineScale(const std::vector<std::vector<float>> &questions,
                         const std::vector<std::vector<float>> &texts)
    : CosineScale(cosinesOf(questions, texts)) {}

double CosineScale::quantile(double share) const {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(cosines_.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, cosines_.size() - 1);
  const double rest = place - static_cast<double>(below);
  return cosines_[below] + rest * (cosines_[above] - cosines_[below]);
}

double CosineScale::relativeOf(double cosine) const {
  const double median = quantile(middle);
  // A model that gives all texts the same vector has no scale.
  return median < 1 ? (cosine - median) / (1 - median) : 0;
}

double CosineScale::cosineOf(double relative) const {
  const double median = quantile(middle);
  return median + relative * (1 - median);
}

CosineScale measureScale(const Encoder &encoder, const std::string &queryPrefix,
                         const std::string &passagePrefix,
                         const std::function<void()> &checkpoint) {
  return {vectorsOf(encoder, queryPrefix, everydayQuestions, checkpoint),
          vectorsOf(encoder, passagePrefix, skillDescriptions, checkpoint)};
}

} // namespace skillhost::embedding
