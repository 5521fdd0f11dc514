// SPDX-License-Identifier: Apache-2.0
#include "encoder.hpp"

#include "quantised_rows.hpp"
#include "safetensors.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace skillhost::embedding {
namespace {

class Matrix {
public:
  Matrix() = default;
  Matrix(std::size_t inputs, std::size_t outputs)
      : inputs_(inputs), packed_(inputs * outputs), scales_(outputs), bias_(outputs),
        zeros_(outputs) {}

  // Reads the outputs from `first` on, from a tensor of outputs × inputs and one of outputs.
  void fill(const Safetensors &file, const std::string &name, std::size_t first,
            std::size_t count) {
    const QuantisedRows rows = readQuantised(file, name + ".weight", {count, inputs_}, 0, count);
    const std::vector<float> bias = file.read(name + ".bias", {count});
    for (std::size_t each = 0; each < count; ++each) {
      const std::size_t output = first + each;
      const std::int8_t *row = rows.values.data() + each * inputs_;
      std::int8_t *block = packed_.data() + output / lanes * lanes * inputs_ + output % lanes * 4;
      for (std::size_t at = 0; at < inputs_; ++at) block[at / 4 * 4 * lanes + at % 4] = row[at];
      scales_[output] = rows.scales[each];
      zeros_[output] = activationZero * std::accumulate(row, row + inputs_, std::int32_t{0});
      bias_[output] = bias[each];
    }
  }
  MatrixView view() const {
    return {inputs_, scales_.size(), packed_.data(), scales_.data(), bias_.data(), zeros_.data()};
  }

private:
  std::size_t inputs_ = 0;
  std::vector<std::int8_t> packed_;
  std::vector<float> scales_, bias_;
  std::vector<std::int32_t> zeros_;
};

struct Norm {
  std::vector<float> gain, shift;
  void fill(const Safetensors &file, const std::string &name, std::size_t width) {
    // Older files call them gamma and beta.
    const bool older = !file.has(name + ".weight") && file.has(name + ".gamma");
    gain = file.read(name + (older ? ".gamma" : ".weight"), {width});
    shift = file.read(name + (older ? ".beta" : ".bias"), {width});
  }
};

struct Layer {
  Matrix queryKeyValue, attended, inner, outer;
  Norm afterAttention, afterOutput;
};

} // namespace

struct Encoder::Weights {
  Weights(const std::string &folder, const Kernels &chosen, const std::function<void()> &checkpoint)
      : kernels(chosen), model(describeModel(folder)), pieces(readVocabulary(folder, model)) {
    const Safetensors file(folder + "/model.safetensors");
    const std::string prefix = file.has("bert.embeddings.word_embeddings.weight") ? "bert." : "";
    readEmbeddings(file, prefix + "embeddings.", checkpoint);
    layers.resize(model.layers);
    for (std::size_t each = 0; each < model.layers; ++each) {
      checkpoint();
      readLayer(file, prefix + "encoder.layer." + std::to_string(each) + ".", layers[each]);
    }
  }

  const Kernels &kernels;
  ModelDescription model;
  std::unique_ptr<const Tokenizer> pieces;
  std::vector<std::int8_t> words; // vocabulary × width
  std::vector<float> wordScales;
  std::vector<float> places; // vector of each position, with that of the first type added
  Norm afterEmbeddings;
  std::vector<Layer> layers;

private:
  void readEmbeddings(const Safetensors &file, const std::string &name,
                      const std::function<void()> &checkpoint) {
    constexpr std::size_t rowsAtOnce = 1024; // few, so that the file is never in memory as a whole
    words.reserve(model.vocabulary * model.width);
    wordScales.reserve(model.vocabulary);
    for (std::size_t first = 0; first < model.vocabulary; first += rowsAtOnce) {
      checkpoint();
      const QuantisedRows rows =
          readQuantised(file, name + "word_embeddings.weight", {model.vocabulary, model.width},
                        first, std::min(rowsAtOnce, model.vocabulary - first));
      words.insert(words.end(), rows.values.begin(), rows.values.end());
      wordScales.insert(wordScales.end(), rows.scales.begin(), rows.scales.end());
    }
    places = file.read(name + "position_embeddings.weight", {model.positions, model.width});
    const std::vector<float> types =
        file.read(name + "token_type_embeddings.weight", {model.types, model.width});
    for (std::size_t at = 0; at < places.size(); ++at) places[at] += types[at % model.width];
    afterEmbeddings.fill(file, name + "LayerNorm", model.width);
  }

  void readLayer(const Safetensors &file, const std::string &name, Layer &layer) const {
    const std::size_t width = model.width;
    layer.queryKeyValue = Matrix(width, 3 * width);
    layer.queryKeyValue.fill(file, name + "attention.self.query", 0, width);
    layer.queryKeyValue.fill(file, name + "attention.self.key", width, width);
    layer.queryKeyValue.fill(file, name + "attention.self.value", 2 * width, width);
    layer.attended = Matrix(width, width);
    layer.attended.fill(file, name + "attention.output.dense", 0, width);
    layer.afterAttention.fill(file, name + "attention.output.LayerNorm", width);
    layer.inner = Matrix(width, model.innerWidth);
    layer.inner.fill(file, name + "intermediate.dense", 0, model.innerWidth);
    layer.outer = Matrix(model.innerWidth, width);
    layer.outer.fill(file, name + "output.dense", 0, width);
    layer.afterOutput.fill(file, name + "output.LayerNorm", width);
  }
};

struct Encoder::Workspace::Buffers {
  std::vector<float> x, projected, other, attended, inner, copies, scores, scales;
  std::vector<std::uint8_t> activations;

  void fit(std::size_t tokens, const ModelDescription &model) {
    const std::size_t padded = paddedTokens(tokens);
    x.assign(tokens * model.width, 0);
    projected.resize(tokens * 3 * model.width);
    other.resize(tokens * model.width);
    attended.resize(tokens * model.width);
    inner.resize(tokens * model.innerWidth);
    copies.resize(2 * padded * model.width / model.heads);
    scores.resize(padded * 4);
    scales.resize(tokens);
    activations.resize(tokens * std::max(model.width, model.innerWidth));
  }
};

Encoder::Workspace::Workspace() : buffers_(std::make_unique<Buffers>()) {}
Encoder::Workspace::Workspace(Workspace &&) noexcept = default;
Encoder::Workspace &Encoder::Workspace::operator=(Workspace &&) noexcept = default;
Encoder::Workspace::~Workspace() = default;

Encoder::Encoder(const std::string &folder, const Kernels &kernels,
                 const std::function<void()> &checkpoint)
    : weights_(std::make_unique<const Weights>(folder, kernels, checkpoint)) {}
Encoder::Encoder(Encoder &&) noexcept = default;
Encoder::~Encoder() = default;

const ModelDescription &Encoder::description() const noexcept { return weights_->model; }
const Tokenizer &Encoder::pieces() const noexcept { return *weights_->pieces; }

std::vector<float> Encoder::embed(std::string_view text, Workspace &workspace) const {
  return embed(weights_->pieces->encode(text, weights_->model.maxTokens), workspace);
}

std::vector<float> Encoder::embed(const std::vector<std::uint32_t> &tokens,
                                  Workspace &workspace) const {
  const Weights &weights = *weights_;
  const ModelDescription &model = weights.model;
  const Kernels &kernels = weights.kernels;
  const std::size_t count = std::min(tokens.size(), model.positions);
  if (count == 0 || *std::max_element(tokens.begin(), tokens.end()) >= model.vocabulary)
    throw skh::Error(SKH_INVALID, "no tokens, or one that is not in the vocabulary");
  const std::size_t width = model.width;
  Workspace::Buffers &with = *workspace.buffers_;
  with.fit(count, model);
  const auto multiply = [&](const std::vector<float> &from, const Matrix &matrix,
                            std::vector<float> &to) {
    const MatrixView view = matrix.view();
    kernels.quantise(from.data(), count, view.inputs, with.activations.data(), with.scales.data());
    kernels.multiply(with.activations.data(), with.scales.data(), count, view, to.data());
  };
  const auto addAndNormalise = [&](const Norm &norm) {
    kernels.addAndNormalise(with.x.data(), with.other.data(), count, width, norm.gain.data(),
                            norm.shift.data(), model.epsilon);
  };
  for (std::size_t token = 0; token < count; ++token) {
    const std::size_t number = tokens[token];
    const std::int8_t *word = weights.words.data() + number * width;
    for (std::size_t at = 0; at < width; ++at)
      with.other[token * width + at] = static_cast<float>(word[at]) * weights.wordScales[number] +
                                       weights.places[token * width + at];
  }
  addAndNormalise(weights.afterEmbeddings);
  const AttentionSizes sizes{count, model.heads, width / model.heads};
  for (const Layer &layer : weights.layers) {
    multiply(with.x, layer.queryKeyValue, with.projected);
    kernels.attend(with.projected.data(), sizes, with.copies.data(), with.scores.data(),
                   with.attended.data());
    multiply(with.attended, layer.attended, with.other);
    addAndNormalise(layer.afterAttention);
    multiply(with.x, layer.inner, with.inner);
    kernels.activate(with.inner.data(), count * model.innerWidth, model.activation);
    multiply(with.inner, layer.outer, with.other);
    addAndNormalise(layer.afterOutput);
  }
  std::vector<float> vector(with.x.begin(), with.x.begin() + static_cast<std::ptrdiff_t>(width));
  if (model.pooling == Pooling::Mean)
    for (std::size_t token = 1; token < count; ++token)
      for (std::size_t at = 0; at < width; ++at) vector[at] += with.x[token * width + at];
  double squares = 0;
  for (const float each : vector) squares += static_cast<double>(each) * each;
  const double length = std::sqrt(squares);
  // The condition is written so that it refuses NaN, too.
  // NOLINTNEXTLINE(readability-simplify-boolean-expr)
  if (!(length > 0 && std::isfinite(length)))
    throw skh::Error(SKH_INVALID, "the weights of the model lead to a vector that is no number");
  for (float &each : vector) each = static_cast<float>(each / length);
  return vector;
}

std::vector<const Kernels *> usableKernels() {
  std::vector<const Kernels *> usable;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni"))
    usable.push_back(&avx512Kernels);
  if (__builtin_cpu_supports("avx2")) usable.push_back(&avx2Kernels);
#elif defined(__aarch64__)
  usable.push_back(&neonKernels);
#endif
  usable.push_back(&portableKernels);
  return usable;
}

const Kernels &kernelsCalled(std::string_view name) {
  const std::vector<const Kernels *> usable = usableKernels();
  if (name == "auto") return *usable.front();
  std::string known = "auto";
  for (const Kernels *each : usable) {
    if (name == each->name) return *each;
    known += std::string(", ") + each->name;
  }
  throw skh::Error(SKH_INVALID,
                   "instructions: \"" + std::string(name) +
                       "\" is not known, or not to be had on this processor: " + known);
}

} // namespace skillhost::embedding
