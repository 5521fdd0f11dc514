// SPDX-License-Identifier: Apache-2.0
// Reads a model in the form of the library sentence-transformers: a folder of weights, vocabulary
// and JSON.
#pragma once

#include "kernels/kernels.hpp"
#include "word_piece.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace skillhost::embedding {

enum class Pooling { Mean, Cls };

struct ModelDescription {
  std::size_t layers = 0;
  std::size_t heads = 0;
  std::size_t width = 0;      // of the vectors of a token and of a text
  std::size_t innerWidth = 0; // of the inner layer
  std::size_t vocabulary = 0;
  std::size_t positions = 0; // greatest number of tokens for which the weights have positions
  std::size_t types = 0;
  std::size_t maxTokens = 0; // limit of the tokens of a text
  float epsilon = 0;
  Activation activation = Activation::Gelu;
  Pooling pooling = Pooling::Mean;
  WordPiece::Options words;
  std::string queryPrefix, passagePrefix; // from the folder's own configuration
};

// Reads config.json, 1_Pooling/config.json and, if they exist, sentence_bert_config.json,
// tokenizer_config.json and config_sentence_transformers.json. Throws skh::Error(SKH_INVALID) that
// names file, key and value, if the model does not have BERT's form.
ModelDescription describeModel(const std::string &folder);

// Reads sentencepiece.bpe.model, or vocab.txt if the folder has no such file. Its size must match
// the description. Throws skh::Error(SKH_INVALID).
std::unique_ptr<const Tokenizer> readVocabulary(const std::string &folder,
                                                const ModelDescription &model);

} // namespace skillhost::embedding
