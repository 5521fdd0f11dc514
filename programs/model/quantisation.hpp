// SPDX-License-Identifier: Apache-2.0
// Writes the weights of a model in 8 bits. The plugin hybrid reads a file of a quarter of the size
// then, and gets the same vectors, because it converts floats in the same way.
#pragma once

#include <functional>
#include <string>

namespace skillhost::model {

// Returns the file model.safetensors with the weights that the vector of a text depends on, of the
// one at this path. The same input always gives the same bytes. `checkpoint` is called every few
// milliseconds and may throw. Throws skh::Error if the file cannot be read.
std::string quantised(const std::string &path, const std::function<void()> &checkpoint);

} // namespace skillhost::model
