// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "embedding/encoder.hpp"
#include "small_model.hpp"
#include "temporary_folder.hpp"

#include <skillhost/plugin.hpp>

#include <numeric>
#include <random>

using namespace skillhost::embedding;

namespace {

std::vector<std::uint32_t> tokensOf(std::size_t count) {
  std::vector<std::uint32_t> tokens(count);
  for (std::size_t at = 0; at < count; ++at) tokens[at] = static_cast<std::uint32_t>(at * 7 % 15);
  return tokens;
}

double cosine(const std::vector<float> &left, const std::vector<double> &right) {
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

std::string refusal(const std::string &folder) {
  try {
    const Encoder encoder(folder, portableKernels);
  } catch (const skh::Error &error) {
    return error.what();
  }
  return "taken";
}

} // namespace

TEST_CASE("an encoder comes to what the arithmetic of its model says") {
  const TemporaryFolder folder;
  SmallModel model;
  const std::string activation = GENERATE("gelu", "gelu_new", "relu");
  const bool mean = GENERATE(true, false);
  model.config["hidden_act"] = activation;
  model.pooling = {{"pooling_mode_mean_tokens", mean}, {"pooling_mode_cls_token", !mean}};
  model.write(folder.path());
  const Encoder encoder(folder.path(), portableKernels);
  Encoder::Workspace workspace;
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 40U}) {
    const std::vector<float> vector = encoder.embed(tokensOf(count), workspace);
    CAPTURE(activation, mean, count);
    REQUIRE(vector.size() == SmallModel::width);
    CHECK(cosine(vector, model.reference(tokensOf(count))) > 0.99);
    // Other texts must be far away, otherwise the check above would prove nothing.
    if (count > 2) CHECK(cosine(vector, model.reference({4, 9})) < 0.98);
  }
}

TEST_CASE("every kind of processor gives the same bytes") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  Encoder::Workspace workspace;
  const Encoder portable(folder.path(), portableKernels);
  for (const Kernels *kernels : usableKernels()) {
    const Encoder encoder(folder.path(), *kernels);
    for (std::size_t count = 1; count <= SmallModel::positions; ++count) {
      CAPTURE(kernels->name, count);
      CHECK(encoder.embed(tokensOf(count), workspace) ==
            portable.embed(tokensOf(count), workspace));
    }
  }
  CHECK(&kernelsCalled("auto") == usableKernels().front());
  CHECK(&kernelsCalled("portable") == &portableKernels);
  CHECK_THROWS_AS(kernelsCalled("sse"), skh::Error);
}

TEST_CASE("products of whole vectors are exact") {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> any(-127, 127);
  constexpr std::size_t rows = 37, width = 384;
  std::vector<std::int8_t> table(rows * width), vector(width);
  for (auto *all : {&table, &vector})
    for (std::int8_t &each : *all) each = static_cast<std::int8_t>(any(random));
  std::fill_n(table.begin(), width, std::int8_t{-127});
  std::vector<std::int32_t> expected(rows);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t at = 0; at < width; ++at)
      expected[row] += table[row * width + at] * vector[at];
  for (const Kernels *kernels : usableKernels()) {
    std::vector<std::int32_t> products(rows);
    kernels->dot(table.data(), rows, width, vector.data(), products.data());
    CHECK(products == expected);
  }
}

TEST_CASE("a folder that is no such model is refused by name") {
  const TemporaryFolder folder;
  SmallModel model;
  const auto with = [&](const SmallModel &changed) {
    changed.write(folder.path());
    return refusal(folder.path());
  };
  CHECK(refusal(folder.path()) == folder.path() + "/config.json: not found");
  CHECK(with(model) == "taken");

  SmallModel other = model;
  other.config["model_type"] = "roberta";
  CHECK_THAT(
      with(other),
      Catch::EndsWith(
          "config.json: model_type is \"roberta\"; only models of the form of bert are known"));
  other = model;
  other.config["hidden_size"] = 72;
  CHECK_THAT(with(other), Catch::Contains("hidden_size is 72, which is no multiple of 64"));
  other = model;
  other.config["num_hidden_layers"] = -1;
  CHECK_THAT(with(other), Catch::Contains("num_hidden_layers must be from 1 to 48, is -1"));
  other = model;
  other.config.erase("vocab_size");
  CHECK_THAT(with(other), Catch::Contains("vocab_size is missing"));
  other = model;
  other.config["hidden_act"] = "swish";
  CHECK_THAT(with(other), Catch::Contains("hidden_act is \"swish\""));
  other = model;
  other.pooling["pooling_mode_cls_token"] = true;
  CHECK_THAT(with(other), Catch::Contains("just one must be true"));
  other = model;
  other.shapes["encoder.layer.1.output.dense.weight"] = {SmallModel::inner, SmallModel::width};
  CHECK_THAT(with(other),
             Catch::Contains(
                 "tensor encoder.layer.1.output.dense.weight is 128 × 64; 64 × 128 is expected"));
  other = model;
  other.tensors.erase("embeddings.LayerNorm.bias");
  CHECK_THAT(with(other), Catch::Contains("has no tensor embeddings.LayerNorm.bias"));
  other = model;
  other.tensors["encoder.layer.0.output.dense.bias"][3] = std::nanf("");
  CHECK_THAT(
      with(other),
      Catch::Contains("tensor encoder.layer.0.output.dense.bias has a number that is not finite"));
  other = model;
  other.vocabulary.push_back("more");
  CHECK_THAT(with(other),
             Catch::Contains("vocab.txt: has 16 tokens, but vocab_size in config.json is 15"));
  other = model;
  other.vocabulary[1] = "unknown";
  CHECK_THAT(with(other), Catch::Contains("vocab.txt: has no token [UNK]"));
}

TEST_CASE("weights so large that nothing can be computed are told of") {
  const TemporaryFolder folder;
  SmallModel model;
  for (float &each : model.tensors["embeddings.LayerNorm.weight"]) each = 3e38F;
  model.write(folder.path());
  const Encoder encoder(folder.path(), portableKernels);
  Encoder::Workspace workspace;
  CHECK_THROWS_AS(encoder.embed("a cat", workspace), skh::Error);
  CHECK_THROWS_AS(encoder.embed(std::vector<std::uint32_t>{15}, workspace), skh::Error);
  CHECK_THROWS_AS(encoder.embed(std::vector<std::uint32_t>{}, workspace), skh::Error);
}
