// Between plain numbers and LibTorch's tensors. For trainer/*.cpp alone, like torch_model.h.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

namespace farrier {

/// A tensor of one dimension that looks at these numbers, a vector's or a span's: they must outlive it. LibTorch wants a
/// pointer that it could write through, but nothing is written.
template <class Numbers>
torch::Tensor view_of(const Numbers& values, torch::ScalarType type = torch::kFloat32) {
  void* data = const_cast<void*>(static_cast<const void*>(values.data()));
  return torch::from_blob(data, {static_cast<std::int64_t>(values.size())}, type);
}

/// The tensor's floats, from whatever device, in the order of its last dimension.
inline std::vector<float> to_vector(const torch::Tensor& t) {
  const torch::Tensor c = t.detach().cpu().contiguous();
  return {c.data_ptr<float>(), c.data_ptr<float>() + c.numel()};
}

}  // namespace farrier
