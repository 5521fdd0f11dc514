// SPDX-License-Identifier: Apache-2.0
// What the library tells operators: figures of its sources, warnings of its skills.
#pragma once

#include "skills/builder.hpp"
#include "skills/catalogue.hpp"

#include <string>
#include <vector>

namespace skillhost {

void showFigures(const std::vector<SourceResult> &results);
// A refresh of a source has ended.
void showRefresh(const std::string &source, bool isGood);
// Of the catalogue that is served from now on.
void showCatalogue(const Catalogue &now);
// Of a source that is served no more.
void forgetFigures(const std::string &source);

// Why a skill is not served at all has been said when it was read; here: who lost a name or is left
// out of skills/list.
void warnOfNew(const Catalogue &now, const Catalogue &before);

} // namespace skillhost
