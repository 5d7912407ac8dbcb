// The parts of [train] that say how a training moves: learning rate and loss.
#pragma once

#include "trainer/config.h"
#include "trainer/toml_section.h"

namespace farrier {

/// Reads lr, lr_end and warmup_steps, or [[train.lr_schedule]] in their place, which must fill the training for
/// every generation's number of epochs (read before). Throws UserError.
void read_learning_rate(TomlSection& train, TrainConfig& config);

/// Reads loss and loss_power. Throws UserError.
void read_loss(TomlSection& train, Loss& loss);

}  // namespace farrier
