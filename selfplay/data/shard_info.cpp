#include "selfplay/data/shard_info.h"

#include "farrier_commit.h"

namespace farrier {

std::string program_version() { return "farrier-selfplay " FARRIER_VERSION; }
std::string program_commit() { return FARRIER_COMMIT; }

}  // namespace farrier
