// SPDX-License-Identifier: Apache-2.0
#include "check_folder.hpp"

#include "embedding/encoder.hpp"
#include "embedding/safetensors.hpp"
#include "ground/json.hpp"
#include "ground/shown.hpp"
#include "model_state.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

namespace skillhost::model {
namespace {

constexpr const char *firstSentence = "Fill in the fields of a PDF form";
constexpr const char *secondSentence = "Complete an electronic document";

class FolderCheck {
public:
  FolderCheck(const std::string &folder, const std::string &instructions) : folder_(folder) {
    const embedding::Kernels *kernels = nullptr;
    attempt([&] { kernels = &embedding::kernelsCalled(instructions); });
    std::optional<embedding::ModelDescription> model;
    attempt([&] { model = embedding::describeModel(folder); });
    attempt([&] {
      // Without a description, check only what every vocabulary must have.
      embedding::ModelDescription any;
      any.vocabulary = SIZE_MAX;
      embedding::readVocabulary(folder, model.value_or(any));
    });
    attempt([&] { const embedding::Safetensors header(folder + "/model.safetensors"); });
    if (!faults_.empty()) return;
    attempt([&] { embed(*kernels); });
    if (faults_.empty()) compareWithPinned();
  }

  const std::vector<std::string> &faults() const { return faults_; }

  Json asJson() const {
    Json out{{"folder", folder_}, {"usable", faults_.empty()}};
    if (!faults_.empty()) {
      out["faults"] = faults_;
      return out;
    }
    out["architecture"] = {{"form", "bert"},
                           {"layers", model_.layers},
                           {"heads", model_.heads},
                           {"inner_dimensions", model_.innerWidth},
                           {"vocabulary", model_.vocabulary}};
    out["dimensions"] = model_.width;
    out["tokens"] = model_.maxTokens;
    out["pooling"] = pooling();
    out["query_prefix"] = model_.queryPrefix;
    out["passage_prefix"] = model_.passagePrefix;
    out["instructions"] = instructions_;
    out["digests"] = nameOf(pinned_.kind);
    if (!pinned_.problems.empty()) out["digest_problems"] = pinned_.problems;
    out["self_test"] = {{"sentences", {firstSentence, secondSentence}},
                        {"cosine", cosine_},
                        {"milliseconds", milliseconds_}};
    return out;
  }

  void print() const {
    if (!faults_.empty()) {
      for (const std::string &fault : faults_) printShown(stdout, "wrong  %s\n", fault.c_str());
      printShown(stdout, "%s: no model that can be used; `skillhost model fetch` gets one\n",
                 folder_.c_str());
      return;
    }
    const auto line = [](const char *name, const std::string &text) {
      printShown(stdout, "%-13s %s\n", name, text.c_str());
    };
    line("folder", folder_);
    line("architecture", "bert: " + std::to_string(model_.layers) + " layers, " +
                             std::to_string(model_.heads) + " heads, " +
                             std::to_string(model_.innerWidth) + " inner dimensions, " +
                             std::to_string(model_.vocabulary) + " tokens known");
    line("dimensions", std::to_string(model_.width));
    line("text", "its first " + std::to_string(model_.maxTokens) + " tokens are read");
    line("pooling", pooling());
    line("prefixes", "of queries " + Json(model_.queryPrefix).dump() + ", of passages " +
                         Json(model_.passagePrefix).dump());
    line("instructions", instructions_);
    line("digests", digests());
    for (const std::string &problem : pinned_.problems) line("", problem);
    printShown(stdout, "%-13s two sentences in %.1f ms, their cosine is %.3f\n", "self test",
               milliseconds_, cosine_);
  }

private:
  void attempt(const std::function<void()> &step) {
    try {
      step();
    } catch (const std::exception &fault) { // includes skh::Error
      if (std::find(faults_.begin(), faults_.end(), fault.what()) == faults_.end())
        faults_.emplace_back(fault.what());
    }
  }

  void embed(const embedding::Kernels &kernels) {
    const embedding::Encoder encoder(folder_, kernels);
    model_ = encoder.description();
    instructions_ = kernels.name;
    embedding::Encoder::Workspace workspace;
    const auto begun = std::chrono::steady_clock::now();
    const std::vector<float> first = encoder.embed(firstSentence, workspace),
                             second = encoder.embed(secondSentence, workspace);
    milliseconds_ =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
    cosine_ = std::inner_product(first.begin(), first.end(), second.begin(), 0.0);
    // The plugin's stored vectors must be valid on every machine.
    const embedding::Encoder portable(folder_, embedding::portableKernels);
    if (portable.embed(firstSentence, workspace) != first)
      throw std::runtime_error("the instructions " + instructions_ +
                               " give other numbers than portable C++: please report this");
  }

  // A model of the user's own has no pinned digests.
  void compareWithPinned() { pinned_ = stateOf(folder_); }

  std::string pooling() const {
    return model_.pooling == embedding::Pooling::Mean ? "mean" : "cls";
  }
  std::string digests() const {
    switch (pinned_.kind) {
    case ModelState::Kind::Intact:
      return "those of " + std::string(pinned_.model->name);
    case ModelState::Kind::Damaged:
      return "not those of " + std::string(pinned_.model->name) + ", which was fetched";
    default:
      return "not known: it was not fetched by skillhost";
    }
  }

  const std::string folder_;
  std::vector<std::string> faults_;
  embedding::ModelDescription model_;
  std::string instructions_;
  ModelState pinned_;
  double cosine_ = 0, milliseconds_ = 0;
};

} // namespace

int checkFolder(const std::string &folder, const std::string &instructions, bool json) {
  const FolderCheck check(folder, instructions);
  if (json)
    printJsonText(stdout, check.asJson().dump(2, ' ', false, Json::error_handler_t::replace));
  else
    check.print();
  return check.faults().empty() ? 0 : 1;
}

} // namespace skillhost::model
