#include "engine/nnue/default_nets.h"

#include "engine/nnue/embedded_nets.h"

namespace farrier {

DefaultNet default_net(Variant variant) {
  for (const EmbeddedNet& embedded : embedded_nets())
    if (embedded.variant == variant_name(variant)) {
      const std::string name(embedded.file);
      return {name, std::make_shared<const Net>(parse_net(std::string(embedded.begin, embedded.end), name))};
    }
  return {};
}

}  // namespace farrier
