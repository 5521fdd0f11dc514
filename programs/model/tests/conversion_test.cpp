// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "conversion.hpp"
#include "embedding/encoder.hpp"
#include "embedding/safetensors.hpp"
#include "onnx.hpp"
#include "quantisation.hpp"
#include "small_model.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

using namespace skillhost;
using model::ConversionFacts;
using model::ConvertedFile;

namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>((value & 0x7fU) | 0x80U);
  return bytes + static_cast<char>(value);
}
std::string numberField(unsigned field, std::uint64_t value) {
  return varint(field << 3U) + varint(value);
}
std::string bytesField(unsigned field, const std::string &bytes) {
  return varint(field << 3U | 2U) + varint(bytes.size()) + bytes;
}

std::string tensor(const std::string &name, const std::vector<std::uint64_t> &shape,
                   const std::vector<float> &values, bool isPacked = false) {
  std::string dimensions, packed;
  for (const std::uint64_t each : shape) {
    dimensions += numberField(1, each);
    packed += varint(each);
  }
  const std::string raw(reinterpret_cast<const char *>(values.data()),
                        values.size() * sizeof(float));
  return bytesField(5, (isPacked ? bytesField(1, packed) : dimensions) + numberField(2, 1) +
                           bytesField(8, name) + bytesField(9, raw));
}
std::string operation(const std::string &name, const std::vector<std::string> &inputs,
                      const std::string &output) {
  std::string node;
  for (const std::string &each : inputs) node += bytesField(1, each);
  return bytesField(1, node + bytesField(2, output) + bytesField(4, name));
}

// Writes a model as PyTorch exports it: matrices are transposed and have lost their names.
std::string onnxOf(const SmallModel &model, const std::string &prefix = "") {
  std::string graph;
  std::size_t number = 0;
  bool isPacked = false;
  for (const auto &[name, values] : model.tensors) {
    const std::vector<std::uint64_t> &shape = model.shapes.at(name);
    isPacked = !isPacked;
    if (!name.starts_with("encoder.") || shape.size() != 2) {
      graph += tensor(prefix + name, shape, values, isPacked);
      continue;
    }
    std::vector<float> transposed(values.size());
    for (std::size_t row = 0; row < shape[0]; ++row)
      for (std::size_t column = 0; column < shape[1]; ++column)
        transposed[column * shape[0] + row] = values[row * shape[1] + column];
    const std::string matrix = "onnx::MatMul_" + std::to_string(++number);
    const std::string product = matrix + "_product";
    graph += tensor(matrix, {shape[1], shape[0]}, transposed);
    const std::string bias = prefix + name.substr(0, name.size() - 6) + "bias";
    graph += operation("MatMul", {"x", matrix}, product);
    graph += number % 2 == 0 ? operation("Add", {bias, product}, matrix + "_sum")
                             : operation("Add", {product, bias}, matrix + "_sum");
  }
  // Weights of another type, and attention's product of two results, are none of the model's.
  graph += bytesField(5, numberField(1, 1) + numberField(2, 7) +
                             bytesField(8, "embeddings.position_ids") +
                             bytesField(9, std::string(8, '\0')));
  graph += operation("MatMul", {"query", "key"}, "scores");
  return numberField(1, 6) + bytesField(2, "pytorch") + bytesField(7, graph);
}

std::string tokenizerOf(const SmallModel &model) {
  nlohmann::json vocabulary;
  for (std::size_t each = 0; each < model.vocabulary.size(); ++each)
    vocabulary[model.vocabulary[each]] = each;
  return nlohmann::json{{"normalizer",
                         {{"type", "BertNormalizer"},
                          {"lowercase", true},
                          {"handle_chinese_chars", true},
                          {"strip_accents", nullptr}}},
                        {"model", {{"type", "WordPiece"}, {"vocab", vocabulary}}}}
      .dump();
}

constexpr ConversionFacts smallFacts{SmallModel::heads, true, "query: ", "passage: "};

std::vector<ConvertedFile> converted(const std::string &onnx, const std::string &tokenizer,
                                     const ConversionFacts &facts = smallFacts) {
  return model::convertFromOnnx(onnx, tokenizer, facts, [] {});
}

void writeTo(const std::string &folder, const std::vector<ConvertedFile> &files) {
  std::filesystem::create_directories(folder + "/1_Pooling");
  for (const ConvertedFile &file : files)
    std::ofstream(folder + "/" + file.path, std::ios::binary) << file.bytes;
}

std::string refusal(const std::string &onnx, const std::string &tokenizer) {
  try {
    converted(onnx, tokenizer);
  } catch (const std::runtime_error &why) {
    return why.what();
  }
  return "taken";
}

} // namespace

TEST_CASE("a converted model gives the vectors of the original") {
  const std::string prefix = GENERATE("", "bert.");
  const bool usesMean = GENERATE(true, false);
  SmallModel original;
  original.pooling = {{"pooling_mode_mean_tokens", usesMean},
                      {"pooling_mode_cls_token", !usesMean}};
  const TemporaryFolder expected, made;
  original.write(expected.path());
  writeTo(made.path(), converted(onnxOf(original, prefix), tokenizerOf(original),
                                 {SmallModel::heads, usesMean, "query: ", "passage: "}));
  const embedding::Encoder left(expected.path(), embedding::portableKernels),
      right(made.path(), embedding::portableKernels);
  embedding::Encoder::Workspace workspace;
  for (const char *text : {"a cat", "New Yorker dogs! 的", "b", "unknown"})
    CHECK(left.embed(text, workspace) == right.embed(text, workspace));
  CHECK(left.embed("a cat", workspace) != right.embed("a dog", workspace));
  CHECK(right.description().queryPrefix == "query: ");
  CHECK(right.description().passagePrefix == "passage: ");
  CHECK(right.description().maxTokens == SmallModel::positions);
}

TEST_CASE("weights in 8 bits give the vectors of the floats that they were made of") {
  const std::string prefix = GENERATE("", "bert.");
  SmallModel original;
  original.add("pooler.dense.weight", {64, 64}, 0); // no vector depends on it
  SmallModel named = original;
  named.tensors.clear();
  named.shapes.clear();
  for (const auto &[name, values] : original.tensors) {
    named.tensors[prefix + name] = values;
    named.shapes[prefix + name] = original.shapes.at(name);
  }
  const TemporaryFolder floats, bytes;
  named.write(floats.path());
  named.write(bytes.path());
  const std::string path = bytes.path() + "/model.safetensors";
  const std::string small = model::quantised(path, [] {});
  CHECK(small == model::quantised(path, [] {}));
  std::ofstream(path, std::ios::binary) << small;
  const embedding::Safetensors file(path);
  CHECK(file.isWhole(prefix + "embeddings.word_embeddings.weight"));
  CHECK(file.isWhole(prefix + "encoder.layer.1.output.dense.weight"));
  CHECK(!file.isWhole(prefix + "embeddings.position_embeddings.weight"));
  CHECK(!file.has(prefix + "pooler.dense.weight"));
  CHECK(small.size() < std::filesystem::file_size(floats.path() + "/model.safetensors") / 2);
  const embedding::Encoder left(floats.path(), embedding::portableKernels),
      right(bytes.path(), embedding::portableKernels);
  embedding::Encoder::Workspace workspace;
  for (const char *text : {"a cat", "New Yorker dogs! 的", "b", "unknown"})
    CHECK(left.embed(text, workspace) == right.embed(text, workspace));
  CHECK(left.embed("a cat", workspace) != right.embed("a dog", workspace));
}

TEST_CASE("weights in 8 bits without their scales are refused by name") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  const std::string path = folder.path() + "/model.safetensors";
  const std::string small = model::quantised(path, [] {});
  const auto refusalOf = [&](const std::string &from, const std::string &to) {
    std::string changed = small;
    const std::size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    REQUIRE(from.size() == to.size());
    changed.replace(at, from.size(), to);
    std::ofstream(path, std::ios::binary) << changed;
    try {
      const embedding::Encoder encoder(folder.path(), embedding::portableKernels);
    } catch (const std::runtime_error &why) {
      return std::string(why.what());
    }
    return std::string("taken");
  };
  CHECK(refusalOf("pt", "pt") == "taken");
  CHECK(refusalOf("word_embeddings.weight_scale", "word_embeddings.weight_scalf") ==
        path + ": has no tensor embeddings.word_embeddings.weight_scale");
  CHECK_THAT(refusalOf("\"shape\":[128]", "\"shape\":[127]"),
             Catch::Contains("its data_offsets do not fit its shape"));
  CHECK_THAT(refusalOf("I8", "U8"), Catch::Contains("is not of floats (F32, F16, BF16)"));
  std::ofstream(path, std::ios::binary) << small.substr(0, small.size() - 1);
  CHECK_THROWS_WITH(embedding::Encoder(folder.path(), embedding::portableKernels),
                    Catch::Contains("which is cut off"));
}

TEST_CASE("the same model is always converted to the same bytes") {
  const SmallModel original;
  const auto first = converted(onnxOf(original), tokenizerOf(original)),
             second = converted(onnxOf(original), tokenizerOf(original));
  REQUIRE(first.size() == second.size());
  for (std::size_t each = 0; each < first.size(); ++each) {
    CHECK(first[each].path == second[each].path);
    CHECK(first[each].bytes == second[each].bytes);
  }
}

TEST_CASE("a model of another form is refused by its reason") {
  SmallModel model;
  const std::string tokenizer = tokenizerOf(model);
  CHECK(refusal(onnxOf(model), tokenizer) == "taken");
  CHECK_THAT(refusal("", tokenizer), Catch::Contains("has no embeddings.word_embeddings.weight"));
  SmallModel other = model;
  other.tensors.erase("encoder.layer.1.attention.self.key.weight");
  CHECK_THAT(refusal(onnxOf(other), tokenizer),
             Catch::Contains("has no encoder.layer.1.attention.self.key.weight"));
  other = model;
  for (const char *each : {"0", "1"})
    other.tensors.erase(std::string("encoder.layer.") + each + ".output.dense.bias");
  CHECK_THAT(refusal(onnxOf(other), tokenizer), Catch::Contains("it has no layers"));
  CHECK(refusal(onnxOf(model), "[]") == "the tokenizer is no JSON object");
  CHECK(refusal(onnxOf(model), "{}") == "the tokenizer is not that of BERT");
  nlohmann::json changed = nlohmann::json::parse(tokenizer);
  changed["model"]["vocab"]["a"] = 15;
  CHECK_THAT(refusal(onnxOf(model), changed.dump()), Catch::Contains("number that is too large"));
  changed["model"]["vocab"]["a"] = 5;
  CHECK_THAT(refusal(onnxOf(model), changed.dump()), Catch::Contains("number without a token"));
  changed["model"]["vocab"]["a"] = 4;
  CHECK(refusal(onnxOf(model), changed.dump()) == "taken");
  changed["model"]["type"] = "BPE";
  CHECK(refusal(onnxOf(model), changed.dump()) == "the tokenizer is not that of BERT");
}

TEST_CASE("a damaged ONNX file is refused") {
  const std::string good =
      bytesField(7, tensor("a", {2, 3}, {1, 2, 3, 4, 5, 6}) + operation("Add", {"b", "c"}, "d"));
  const model::OnnxGraph graph = model::readOnnx(good);
  REQUIRE(graph.weights.at("a").shape == std::vector<std::uint64_t>{2, 3});
  REQUIRE(graph.operations.at(0).inputs.at(1) == "c");
  for (std::size_t length = 1; length < good.size(); ++length)
    CHECK_THROWS_AS(model::readOnnx(std::string_view(good).substr(0, length)), std::runtime_error);
  // A byte may change without damage, but nothing outside of the file may be read.
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const int change : {1, 2, 4, 0x80, 0xff}) {
      std::string other = good;
      other[at] = static_cast<char>(other[at] ^ change);
      try {
        for (const auto &[name, weights] : model::readOnnx(other).weights)
          CHECK(weights.bytes.size() < good.size());
      } catch (const std::runtime_error &) {
        SUCCEED();
      }
    }
  const auto broken = [](const std::string &fields) {
    return bytesField(7, bytesField(5, fields + numberField(2, 1)));
  };
  CHECK_THROWS_WITH(model::readOnnx(broken(numberField(1, 2) + bytesField(9, "1234"))),
                    Catch::Contains("have 4 bytes, not 8"));
  CHECK_THROWS_WITH(model::readOnnx(broken(numberField(1, UINT64_MAX))),
                    Catch::Contains("too large"));
  CHECK_THROWS_WITH(model::readOnnx(broken(numberField(14, 1))), Catch::Contains("another file"));
  CHECK_THROWS_WITH(model::readOnnx(broken(numberField(9, 1))), Catch::Contains("wrong kind"));
  CHECK_THROWS_WITH(model::readOnnx(std::string(11, '\xff')), Catch::Contains("damaged"));
  CHECK_THROWS_WITH(model::readOnnx("\x0b"), Catch::Contains("unknown kind"));
}
