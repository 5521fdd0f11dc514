// SPDX-License-Identifier: Apache-2.0
#include "model_folder.hpp"

#include "files/whole_file.hpp"
#include "ground/json.hpp"
#include "unigram.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace skillhost::embedding {
namespace {

constexpr std::size_t maxConfigurationBytes = std::size_t{1} << 20U;
constexpr std::size_t maxVocabularyBytes = std::size_t{16} << 20U;
constexpr std::size_t maxPrefixBytes = 1024;
constexpr const char *wordsFile = "vocab.txt", *unigramFile = "sentencepiece.bpe.model";

[[noreturn]] void refuse(const std::string &what) { throw skh::Error(SKH_INVALID, what); }

bool exists(const std::string &path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0;
}

// Refuses a file that was not read, with the reason.
[[noreturn]] void refuseUnread(const std::string &path) {
  struct stat info{};
  const bool isThere = ::lstat(path.c_str(), &info) == 0;
  const bool isRegular = isThere && S_ISREG(info.st_mode);
  refuse(path + (!isThere                ? ": not found"
                 : S_ISLNK(info.st_mode) ? ": a symbolic link, which is not followed"
                 : !isRegular            ? ": not a regular file"
                                         : ": empty, unreadable or too large"));
}

// A JSON file whose values are requested by name.
class File {
public:
  File(const std::string &folder, const char *name) : path_(folder + "/" + name) {
    const std::string text = files::readWhole(path_, maxConfigurationBytes);
    if (text.empty()) refuseUnread(path_);
    std::optional<Json> read = readJsonObject(text);
    if (!read) refuse(path_ + ": is no JSON object");
    values_ = std::move(*read);
  }
  static std::optional<File> ifThere(const std::string &folder, const char *name) {
    if (!exists(folder + "/" + name)) return std::nullopt;
    return File(folder, name);
  }

  std::size_t size(const char *key, std::size_t minimum, std::size_t maximum) const {
    const auto found = values_.find(key);
    if (found == values_.end()) wrong(key, "is missing");
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() < minimum ||
        found->get<std::uint64_t>() > maximum)
      wrong(key, "must be from " + std::to_string(minimum) + " to " + std::to_string(maximum) +
                     ", is " + found->dump());
    return found->get<std::size_t>();
  }
  std::string text(const char *key, const std::string &otherwise) const {
    const auto found = values_.find(key);
    if (found == values_.end() || found->is_null()) return otherwise;
    if (!found->is_string()) wrong(key, "must be a text, is " + found->dump());
    return found->get<std::string>();
  }
  bool flag(const char *key, bool otherwise) const {
    const auto found = values_.find(key);
    if (found == values_.end() || found->is_null()) return otherwise;
    if (!found->is_boolean()) wrong(key, "must be true or false, is " + found->dump());
    return found->get<bool>();
  }
  double number(const char *key, double otherwise) const {
    const auto found = values_.find(key);
    if (found == values_.end()) return otherwise;
    if (!found->is_number()) wrong(key, "must be a number, is " + found->dump());
    return found->get<double>();
  }
  bool has(const char *key) const { return values_.contains(key); }
  const Json &values() const { return values_; }
  [[noreturn]] void wrong(const std::string &key, const std::string &why) const {
    refuse(path_ + ": " + key + " " + why);
  }

private:
  std::string path_;
  Json values_;
};

Activation activationOf(const File &config) {
  const std::string name = config.text("hidden_act", "gelu");
  if (name == "gelu") return Activation::Gelu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast")
    return Activation::GeluTanh;
  if (name == "relu") return Activation::Relu;
  config.wrong("hidden_act", "is \"" + name + "\"; gelu, gelu_new and relu are known");
}

void readSizes(const File &config, ModelDescription &model) {
  const std::string type = config.text("model_type", "bert");
  if (type != "bert")
    config.wrong("model_type", "is \"" + type + "\"; only models of the form of bert are known");
  const std::string places = config.text("position_embedding_type", "absolute");
  if (places != "absolute")
    config.wrong("position_embedding_type", "is \"" + places + "\"; only absolute is known");
  model.layers = config.size("num_hidden_layers", 1, 48);
  model.heads = config.size("num_attention_heads", 1, 64);
  model.width = config.size("hidden_size", outputBlock, 4096);
  model.innerWidth = config.size("intermediate_size", outputBlock, 16384);
  model.vocabulary = config.size("vocab_size", 3, 1'000'000);
  model.positions = config.size("max_position_embeddings", 2, 8192);
  model.types = config.size("type_vocab_size", 1, 16);
  for (const char *key : {"hidden_size", "intermediate_size"})
    if (const std::size_t size = config.size(key, 1, 16384); size % outputBlock != 0)
      config.wrong(key, "is " + std::to_string(size) + ", which is no multiple of " +
                            std::to_string(outputBlock));
  if (model.width % model.heads != 0 || model.width / model.heads % lanes != 0)
    config.wrong("num_attention_heads",
                 "is " + std::to_string(model.heads) +
                     ": a head's share of hidden_size must be a multiple of " +
                     std::to_string(lanes));
  const double epsilon = config.number("layer_norm_eps", 1e-12);
  // The condition is written so that it refuses NaN, too.
  // NOLINTNEXTLINE(readability-simplify-boolean-expr)
  if (!(epsilon >= 0 && epsilon <= 1)) config.wrong("layer_norm_eps", "must be from 0 to 1");
  model.epsilon = static_cast<float>(epsilon);
}

Pooling poolingOf(const std::string &folder) {
  const File config(folder, "1_Pooling/config.json");
  const bool mean = config.flag("pooling_mode_mean_tokens", false);
  const bool cls = config.flag("pooling_mode_cls_token", false);
  for (const char *other : {"pooling_mode_max_tokens", "pooling_mode_mean_sqrt_len_tokens",
                            "pooling_mode_weightedmean_tokens", "pooling_mode_lasttoken"})
    if (config.flag(other, false)) config.wrong(other, "is true; mean and cls are known");
  if (mean == cls)
    config.wrong("pooling_mode_mean_tokens", "and pooling_mode_cls_token: just one must be true");
  return mean ? Pooling::Mean : Pooling::Cls;
}

std::string promptOf(const File &config, std::initializer_list<const char *> names) {
  const auto prompts = config.values().find("prompts");
  if (prompts == config.values().end() || prompts->is_null()) return {};
  if (!prompts->is_object()) config.wrong("prompts", "must be an object");
  for (const char *name : names) {
    const auto found = prompts->find(name);
    if (found == prompts->end()) continue;
    if (!found->is_string() || found->get_ref<const std::string &>().size() > maxPrefixBytes)
      config.wrong(std::string("prompts.") + name,
                   "must be a text of at most " + std::to_string(maxPrefixBytes) + " bytes");
    return found->get<std::string>();
  }
  return {};
}

} // namespace

ModelDescription describeModel(const std::string &folder) {
  ModelDescription model;
  readSizes(File(folder, "config.json"), model);
  model.activation = activationOf(File(folder, "config.json"));
  model.pooling = poolingOf(folder);
  model.maxTokens = model.positions;
  if (const auto config = File::ifThere(folder, "sentence_bert_config.json")) {
    if (config->has("max_seq_length"))
      model.maxTokens = std::min(model.positions, config->size("max_seq_length", 2, 1'000'000));
  }
  if (const auto config = File::ifThere(folder, "tokenizer_config.json")) {
    model.words.lowerCase = config->flag("do_lower_case", true);
    model.words.splitChinese = config->flag("tokenize_chinese_chars", true);
    // If it is not set, accents are removed together with the case.
    if (config->flag("strip_accents", model.words.lowerCase) != model.words.lowerCase)
      config->wrong("strip_accents", "differs from do_lower_case, which is not known");
    const std::string tokenizer = config->text("tokenizer_class", "XLMRobertaTokenizer");
    if (exists(folder + "/" + unigramFile) && tokenizer != "XLMRobertaTokenizer" &&
        tokenizer != "XLMRobertaTokenizerFast")
      config->wrong("tokenizer_class", "is \"" + tokenizer + "\"; with " + unigramFile +
                                           " only XLMRobertaTokenizer is known");
  }
  if (const auto config = File::ifThere(folder, "config_sentence_transformers.json")) {
    model.queryPrefix = promptOf(*config, {"query", "retrieval.query"});
    model.passagePrefix = promptOf(*config, {"passage", "document", "retrieval.passage"});
  }
  return model;
}

std::unique_ptr<const Tokenizer> readVocabulary(const std::string &folder,
                                                const ModelDescription &model) {
  const bool isUnigram = exists(folder + "/" + unigramFile);
  const std::string path = folder + "/" + (isUnigram ? unigramFile : wordsFile);
  const std::string text = files::readWhole(path, maxVocabularyBytes);
  if (text.empty()) refuseUnread(path);
  std::unique_ptr<const Tokenizer> pieces;
  if (isUnigram)
    pieces = std::make_unique<const Unigram>(text, path);
  else
    pieces = std::make_unique<const WordPiece>(text, path, model.words);
  // Some models have more rows than tokens, to get a round number.
  if (pieces->size() > model.vocabulary)
    refuse(path + ": has " + std::to_string(pieces->size()) +
           " tokens, but vocab_size in config.json is " + std::to_string(model.vocabulary));
  return pieces;
}

} // namespace skillhost::embedding
