// The verb `tune`: search parameters fitted by games.
#pragma once

namespace CLI {
class App;
}

namespace farrier {

void add_tune_verb(CLI::App& app);

}  // namespace farrier
