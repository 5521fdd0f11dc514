# SPDX-License-Identifier: Apache-2.0
"""Prints a header with the second schema as a string, to which the settings of the first are added."""
import json
import sys

words, own = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
own["properties"].update(words["properties"])
print(f'''// SPDX-License-Identifier: Apache-2.0
// The schema of the configuration. Written by the build.
#pragma once

namespace skillhost::hybrid {{

inline constexpr const char *schema = R"schema({json.dumps(own)})schema";

}} // namespace skillhost::hybrid''')
