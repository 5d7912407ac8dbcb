// What the trainer's program frees stays with it: the next step, or the next block of positions, needs the same again.
#pragma once

namespace farrier {

/// Tells the C library to keep freed memory instead of handing it back to the system. LibTorch allocates each step's
/// tensors anew; those of a large batch then came as fresh pages every time, and the system took longer to zero and
/// map them than the step itself (measured: ten times longer at 256 wide and a batch of 16384). For the whole process.
void keep_freed_memory();

}  // namespace farrier
