// From one net to the start of another: wider, finer, or of another variant.
#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "engine/variants/variant.h"
#include "trainer/float_net.h"

namespace farrier {

/// A net with what its numbers refer to.
struct NetOfVariant {
  Variant variant = Variant::Chess;
  int scale_cp = 400;
  FloatNet net;
};

/// A net of `variant` and `architecture` that scores as `source` does, in centipawns, as far as both can.
///
/// Inputs are taken over by meaning: board planes of men by their place in features.h (so knightmate's commoner
/// begins as a knight and its royal man as a king), promoted men and each further man in hand where both variants have
/// them; all others begin at zero. Finer king or output buckets begin as the coarser ones that they are parts of. More
/// hidden neurons come by splitting the most weighty ones: the parts share what goes out of them, and what comes in
/// differs by a little noise from `seed`, opposite in sign, so that training can part them. The last layer is scaled
/// from the source's scale_cp to `scale_cp`.
///
/// Fails with a sentence that names the setting if the shapes can't be brought together: fewer neurons, coarser
/// buckets, another activation, other further layers.
Result<FloatNet> transfer(const NetOfVariant& source, Variant variant, const Architecture& architecture,
                          int scale_cp, std::uint64_t seed);

}  // namespace farrier
