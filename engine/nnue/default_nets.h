// The nets of nets/defaults.txt, built into the binary so that the engine is one file to copy.
#pragma once

#include <memory>
#include <string>

#include "engine/nnue/net_file.h"

namespace farrier {

struct DefaultNet {
  std::string name;                // its file name in nets/
  std::shared_ptr<const Net> net;  // null if the variant has none
};

DefaultNet default_net(Variant variant);

}  // namespace farrier
