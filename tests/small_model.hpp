// SPDX-License-Identifier: Apache-2.0
// A model of BERT's form that is small enough for a test to make, and its arithmetic in double
// precision as in the papers: the expected results of an encoder.
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

struct SmallModel {
  static constexpr std::size_t layers = 2, width = 64, inner = 128, heads = 4, positions = 40,
                               types = 2;
  std::vector<std::string> vocabulary{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "a",
                                      "b",     "##b",   "cat",   "##s",   "dog",
                                      "!",     "的",    "new",   "york",  "##er"};
  std::map<std::string, std::vector<std::uint64_t>> shapes;
  std::map<std::string, std::vector<float>> tensors;
  nlohmann::json config{{"model_type", "bert"},         {"hidden_act", "gelu"},
                        {"hidden_size", width},         {"intermediate_size", inner},
                        {"layer_norm_eps", 1e-12},      {"max_position_embeddings", positions},
                        {"num_attention_heads", heads}, {"num_hidden_layers", layers},
                        {"type_vocab_size", types},     {"vocab_size", 15}};
  nlohmann::json pooling{{"pooling_mode_mean_tokens", true}, {"pooling_mode_cls_token", false}};

  SmallModel() {
    add("embeddings.word_embeddings.weight", {vocabulary.size(), width}, 0);
    add("embeddings.position_embeddings.weight", {positions, width}, 0);
    add("embeddings.token_type_embeddings.weight", {types, width}, 0);
    addNorm("embeddings.LayerNorm");
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const std::string name = "encoder.layer." + std::to_string(layer) + ".";
      for (const char *each : {"query", "key", "value"})
        addLinear(name + "attention.self." + each, width, width);
      addLinear(name + "attention.output.dense", width, width);
      addNorm(name + "attention.output.LayerNorm");
      addLinear(name + "intermediate.dense", inner, width);
      addLinear(name + "output.dense", width, inner);
      addNorm(name + "output.LayerNorm");
    }
  }

  void add(const std::string &name, const std::vector<std::uint64_t> &shape, float middle) {
    std::size_t count = 1;
    for (const std::uint64_t each : shape) count *= each;
    std::vector<float> values(count);
    std::normal_distribution<float> spread(middle, 0.2F);
    for (float &each : values) each = spread(random_);
    shapes[name] = shape;
    tensors[name] = values;
  }
  void addLinear(const std::string &name, std::size_t outputs, std::size_t inputs) {
    add(name + ".weight", {outputs, inputs}, 0);
    add(name + ".bias", {outputs}, 0);
  }
  void addNorm(const std::string &name) {
    add(name + ".weight", {width}, 1);
    add(name + ".bias", {width}, 0);
  }

  std::string safetensors() const {
    nlohmann::json header;
    std::string data;
    for (const auto &[name, values] : tensors) {
      const std::size_t begin = data.size();
      data.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float));
      header[name] = {
          {"dtype", "F32"}, {"shape", shapes.at(name)}, {"data_offsets", {begin, data.size()}}};
    }
    return withLength(header.dump()) + data;
  }
  static std::string withLength(const std::string &header) {
    const std::uint64_t length = header.size();
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes + header;
  }
  void write(const std::string &folder) const {
    std::filesystem::create_directories(folder + "/1_Pooling");
    std::ofstream(folder + "/config.json") << config;
    std::ofstream(folder + "/1_Pooling/config.json") << pooling;
    std::ofstream(folder + "/model.safetensors", std::ios::binary) << safetensors();
    std::ofstream words(folder + "/vocab.txt");
    for (const std::string &each : vocabulary) words << each << '\n';
  }

  using Rows = std::vector<std::vector<double>>;

  std::vector<double> reference(const std::vector<std::uint32_t> &tokens) const {
    Rows x;
    for (std::size_t token = 0; token < tokens.size(); ++token) {
      std::vector<double> row(width);
      for (std::size_t at = 0; at < width; ++at)
        row[at] = static_cast<double>(
                      tensors.at("embeddings.word_embeddings.weight")[tokens[token] * width + at]) +
                  tensors.at("embeddings.position_embeddings.weight")[token * width + at] +
                  tensors.at("embeddings.token_type_embeddings.weight")[at];
      x.push_back(row);
    }
    normalise(x, "embeddings.LayerNorm");
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const std::string name = "encoder.layer." + std::to_string(layer) + ".";
      const Rows query = linear(x, name + "attention.self.query"),
                 key = linear(x, name + "attention.self.key"),
                 value = linear(x, name + "attention.self.value");
      Rows attended(x.size(), std::vector<double>(width));
      constexpr std::size_t share = width / heads;
      for (std::size_t head = 0; head < heads; ++head)
        for (std::size_t one = 0; one < x.size(); ++one) {
          std::vector<double> weights(x.size());
          double total = 0;
          for (std::size_t other = 0; other < x.size(); ++other) {
            double product = 0;
            for (std::size_t at = head * share; at < (head + 1) * share; ++at)
              product += query[one][at] * key[other][at];
            weights[other] = std::exp(product / std::sqrt(static_cast<double>(share)));
            total += weights[other];
          }
          for (std::size_t other = 0; other < x.size(); ++other)
            for (std::size_t at = head * share; at < (head + 1) * share; ++at)
              attended[one][at] += weights[other] / total * value[other][at];
        }
      addTo(x, linear(attended, name + "attention.output.dense"));
      normalise(x, name + "attention.output.LayerNorm");
      Rows between = linear(x, name + "intermediate.dense");
      for (auto &row : between)
        for (double &each : row) each = activated(each);
      addTo(x, linear(between, name + "output.dense"));
      normalise(x, name + "output.LayerNorm");
    }
    std::vector<double> vector(width);
    const bool mean = pooling["pooling_mode_mean_tokens"];
    for (std::size_t token = 0; token < (mean ? x.size() : 1); ++token)
      for (std::size_t at = 0; at < width; ++at) vector[at] += x[token][at];
    double squares = 0;
    for (const double each : vector) squares += each * each;
    for (double &each : vector) each /= std::sqrt(squares);
    return vector;
  }

private:
  double activated(double x) const {
    if (config["hidden_act"] == "relu") return x > 0 ? x : 0;
    if (config["hidden_act"] == "gelu_new")
      return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  }
  Rows linear(const Rows &x, const std::string &name) const {
    const std::vector<float> &weights = tensors.at(name + ".weight"),
                             &bias = tensors.at(name + ".bias");
    Rows to;
    for (const auto &row : x) {
      std::vector<double> out(bias.begin(), bias.end());
      for (std::size_t output = 0; output < out.size(); ++output)
        for (std::size_t at = 0; at < row.size(); ++at)
          out[output] += row[at] * weights[output * row.size() + at];
      to.push_back(out);
    }
    return to;
  }
  static void addTo(Rows &x, const Rows &y) {
    for (std::size_t row = 0; row < x.size(); ++row)
      for (std::size_t at = 0; at < x[row].size(); ++at) x[row][at] += y[row][at];
  }
  void normalise(Rows &x, const std::string &name) const {
    for (auto &row : x) {
      double mean = 0, variance = 0;
      for (const double each : row) mean += each / static_cast<double>(row.size());
      for (const double each : row)
        variance += (each - mean) * (each - mean) / static_cast<double>(row.size());
      for (std::size_t at = 0; at < row.size(); ++at)
        row[at] =
            (row[at] - mean) / std::sqrt(variance + 1e-12) * tensors.at(name + ".weight")[at] +
            tensors.at(name + ".bias")[at];
    }
  }

  std::mt19937 random_{20261124};
};
