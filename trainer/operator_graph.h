// The network by LibTorch's own operators, on any device: the formula of our kernels (layer_kernel.h, sparse_kernel.h),
// its gradients left to LibTorch. For trainer/*.cpp alone, like torch_model.h.
#pragma once

#include "trainer/torch_model.h"

namespace farrier {

/// A copy there; a tensor on the CPU that is wanted there is handed back as it is.
torch::Tensor to_device(const torch::Tensor& on_cpu, torch::Device device);

/// Logits, one a position. The model's parameters must be on that device.
torch::Tensor operator_logits(const NnueModelImpl& model, const SparseBatch& batch, torch::Device device);

}  // namespace farrier
