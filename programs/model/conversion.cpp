// SPDX-License-Identifier: Apache-2.0
#include "conversion.hpp"

#include "ground/json.hpp"
#include "onnx.hpp"

#include <nlohmann/json.hpp>

#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

namespace skillhost::model {
namespace {

constexpr std::size_t maxLayers = 48;

[[noreturn]] void refuseModel(const std::string &why) {
  throw std::runtime_error("the model is not of BERT's form: " + why);
}

struct Tensor {
  std::vector<std::uint64_t> shape;
  std::string_view bytes;
  bool isTransposed = false; // in the ONNX file, which has inputs × outputs
};
using Tensors = std::map<std::string, Tensor>;

std::string withoutPrefix(std::string_view name) {
  if (name.starts_with("bert.")) name.remove_prefix(5);
  return std::string(name);
}

// PyTorch exports a linear layer as a product with a matrix that has lost its name, followed by the
// addition of a bias that has kept it.
void nameMatrices(const OnnxGraph &graph, Tensors &tensors) {
  std::map<std::string_view, std::string_view> matrices; // by the product
  for (const OnnxOperation &operation : graph.operations)
    if (operation.name == "MatMul" && operation.inputs.size() == 2 &&
        operation.outputs.size() == 1 && graph.weights.contains(operation.inputs[1]))
      matrices[operation.outputs[0]] = operation.inputs[1];
  constexpr std::string_view ending = ".bias";
  for (const OnnxOperation &operation : graph.operations) {
    if (operation.name != "Add" || operation.inputs.size() != 2) continue;
    for (const std::size_t each : {0U, 1U}) {
      const std::string_view bias = operation.inputs[each];
      const auto matrix = matrices.find(operation.inputs[1 - each]);
      if (matrix == matrices.end() || !bias.ends_with(ending)) continue;
      const OnnxWeights &weights = graph.weights.at(matrix->second);
      if (weights.shape.size() != 2) refuseModel("a matrix has not two dimensions");
      std::string name = withoutPrefix(bias);
      name.replace(name.size() - ending.size(), ending.size(), ".weight");
      tensors[name] = {{weights.shape[1], weights.shape[0]}, weights.bytes, true};
    }
  }
}

std::string layerName(std::size_t layer) { return "encoder.layer." + std::to_string(layer) + "."; }

std::size_t countLayers(const Tensors &tensors) {
  std::size_t layers = 0;
  while (layers < maxLayers && tensors.contains(layerName(layers) + "output.dense.bias")) ++layers;
  return layers;
}

// Returns only the weights that the vector of a text depends on.
Tensors neededOf(const Tensors &all) {
  Tensors needed;
  const auto take = [&](const std::string &name) {
    const auto found = all.find(name);
    if (found == all.end()) refuseModel("it has no " + name);
    needed.insert(*found);
  };
  const auto takeBoth = [&](const std::string &name) {
    take(name + ".weight");
    take(name + ".bias");
  };
  for (const char *kind : {"word", "position", "token_type"})
    take("embeddings." + std::string(kind) + "_embeddings.weight");
  takeBoth("embeddings.LayerNorm");
  for (std::size_t layer = 0; layer < countLayers(all); ++layer)
    for (const char *part : {"attention.self.query", "attention.self.key", "attention.self.value",
                             "attention.output.dense", "attention.output.LayerNorm",
                             "intermediate.dense", "output.dense", "output.LayerNorm"})
      takeBoth(layerName(layer) + part);
  return needed;
}

void appendTransposed(const Tensor &tensor, std::string &to) {
  const auto rows = static_cast<std::size_t>(tensor.shape[0]),
             columns = static_cast<std::size_t>(tensor.shape[1]);
  const std::size_t begin = to.size();
  to.resize(begin + tensor.bytes.size());
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row)
      std::memcpy(to.data() + begin + (row * columns + column) * sizeof(float),
                  tensor.bytes.data() + (column * rows + row) * sizeof(float), sizeof(float));
}

std::string safetensorsOf(const Tensors &tensors, const std::function<void()> &checkpoint) {
  Json header{{"__metadata__", {{"format", "pt"}}}};
  std::uint64_t end = 0;
  for (const auto &[name, tensor] : tensors) {
    const std::uint64_t begin = end;
    end += tensor.bytes.size();
    header[name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  }
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  std::string file(sizeof length, '\0');
  file.reserve(sizeof length + text.size() + static_cast<std::size_t>(end));
  std::memcpy(file.data(), &length, sizeof length); // little endian, like all supported machines
  file += text;
  for (const auto &[name, tensor] : tensors) {
    checkpoint();
    if (tensor.isTransposed)
      appendTransposed(tensor, file);
    else
      file += tensor.bytes;
  }
  return file;
}

struct Vocabulary {
  std::string lines;
  std::size_t size = 0;
  bool isLowerCase = false, splitsChinese = false;
};

Vocabulary vocabularyOf(std::string_view tokenizer) {
  const std::optional<Json> read = readJsonObject(tokenizer);
  if (!read) throw std::runtime_error("the tokenizer is no JSON object");
  try {
    const Json &model = read->at("model"), &normalizer = read->at("normalizer");
    if (model.at("type") != "WordPiece" || normalizer.at("type") != "BertNormalizer" ||
        !normalizer.at("strip_accents").is_null())
      throw std::runtime_error("the tokenizer is not that of BERT");
    std::vector<std::string> tokens(model.at("vocab").size());
    for (const auto &[token, number] : model.at("vocab").items())
      tokens.at(number.get<std::size_t>()) = token;
    Vocabulary vocabulary{"", tokens.size(), normalizer.at("lowercase").get<bool>(),
                          normalizer.at("handle_chinese_chars").get<bool>()};
    for (const std::string &token : tokens) {
      if (token.empty() || token.find('\n') != std::string::npos)
        throw std::runtime_error("the tokenizer has a number without a token");
      vocabulary.lines += token + "\n";
    }
    return vocabulary;
  } catch (const Json::exception &) {
    throw std::runtime_error("the tokenizer is not that of BERT");
  } catch (const std::out_of_range &) {
    throw std::runtime_error("the tokenizer has a number that is too large");
  }
}

std::uint64_t sizeOf(const Tensors &tensors, const std::string &name, std::size_t dimension) {
  const std::vector<std::uint64_t> &shape = tensors.at(name).shape;
  if (shape.size() != 2) refuseModel(name + " has not two dimensions");
  return shape[dimension];
}

std::string asText(const Json &json) { return json.dump(2) + "\n"; }

} // namespace

std::vector<ConvertedFile> configurationFiles(const ModelSizes &sizes,
                                              const ConversionFacts &facts) {
  std::vector<ConvertedFile> files;
  files.push_back({"config.json", asText({{"model_type", "bert"},
                                          {"hidden_act", "gelu"},
                                          {"hidden_size", sizes.width},
                                          {"intermediate_size", sizes.innerWidth},
                                          {"layer_norm_eps", 1e-12},
                                          {"max_position_embeddings", sizes.positions},
                                          {"num_attention_heads", facts.heads},
                                          {"num_hidden_layers", sizes.layers},
                                          {"position_embedding_type", "absolute"},
                                          {"type_vocab_size", sizes.types},
                                          {"vocab_size", sizes.vocabulary}})});
  files.push_back(
      {"1_Pooling/config.json", asText({{"word_embedding_dimension", sizes.width},
                                        {"pooling_mode_cls_token", !facts.usesMean},
                                        {"pooling_mode_mean_tokens", facts.usesMean}})});
  files.push_back({"sentence_bert_config.json", asText({{"max_seq_length", sizes.positions}})});
  Json prompts = Json::object();
  if (!facts.queryPrefix.empty()) prompts["query"] = facts.queryPrefix;
  if (!facts.passagePrefix.empty()) prompts["passage"] = facts.passagePrefix;
  files.push_back({"config_sentence_transformers.json", asText({{"prompts", prompts}})});
  return files;
}

std::vector<ConvertedFile> convertFromOnnx(std::string_view onnx, std::string_view tokenizer,
                                           const ConversionFacts &facts,
                                           const std::function<void()> &checkpoint) {
  const OnnxGraph graph = readOnnx(onnx);
  Tensors all;
  for (const auto &[name, weights] : graph.weights)
    all[withoutPrefix(name)] = {weights.shape, weights.bytes, false};
  nameMatrices(graph, all);
  const Tensors needed = neededOf(all);
  const std::size_t layers = countLayers(needed);
  if (layers == 0) refuseModel("it has no layers");
  const Vocabulary vocabulary = vocabularyOf(tokenizer);
  const std::string word = "embeddings.word_embeddings.weight";
  std::vector<ConvertedFile> files = configurationFiles(
      {layers, sizeOf(needed, word, 1),
       sizeOf(needed, layerName(0) + "intermediate.dense.weight", 0), sizeOf(needed, word, 0),
       sizeOf(needed, "embeddings.position_embeddings.weight", 0),
       sizeOf(needed, "embeddings.token_type_embeddings.weight", 0)},
      facts);
  files.push_back({"model.safetensors", safetensorsOf(needed, checkpoint)});
  files.push_back({"vocab.txt", vocabulary.lines});
  files.push_back(
      {"tokenizer_config.json", asText({{"do_lower_case", vocabulary.isLowerCase},
                                        {"tokenize_chinese_chars", vocabulary.splitsChinese}})});
  return files;
}

} // namespace skillhost::model
