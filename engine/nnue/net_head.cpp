#include "engine/nnue/net_head.h"

#include <algorithm>

namespace farrier {

NetHead::NetHead(std::shared_ptr<const Net> net)
    : net_(std::move(net)), kernels_(net_kernels(net_->architecture.hidden, net_->architecture.activation)) {
  std::size_t widest = 0;
  for (const DenseLayer& layer : net_->layers)
    widest =
        std::max({widest, static_cast<std::size_t>(layer.inputs), static_cast<std::size_t>(layer.outputs)});
  activations_.resize(widest);
  outputs_.resize(widest);
}

Score NetHead::score(const std::int16_t* us, const std::int16_t* other, int output_bucket) {
  const std::int64_t score =
      net_->layers.size() == 1 ? direct(us, other, output_bucket) : through_layers(us, other, output_bucket);
  return static_cast<Score>(std::clamp<std::int64_t>(score, -kMaxEval, kMaxEval));
}

std::int64_t NetHead::direct(const std::int16_t* us, const std::int16_t* other, int output_bucket) const {
  const DenseLayer& layer = net_->layers.front();
  const std::int64_t sum = kernels_.output_sum(us, other, layer.weights_of(output_bucket));
  const bool squares = net_->architecture.activation != Activation::Crelu;
  const std::int64_t logit = (squares ? sum / kQa : sum) + *layer.bias_of(output_bucket);
  return logit * net_->scale_cp / (kQa * kQb);
}

std::int64_t NetHead::through_layers(const std::int16_t* us, const std::int16_t* other, int output_bucket) {
  kernels_.activate(us, other, activations_.data());
  for (const DenseLayer& layer : net_->layers) {
    kernels_.dense(activations_.data(), layer.inputs, layer.weights_of(output_bucket),
                   layer.bias_of(output_bucket), outputs_.data(), layer.outputs);
    for (std::size_t o = 0; o < static_cast<std::size_t>(layer.outputs); ++o)
      activations_[o] = static_cast<std::int16_t>(std::clamp(outputs_[o] >> kQbBits, 0, kMaxActivation));
  }
  return std::int64_t{outputs_[0]} * net_->scale_cp * 256 / (kQa * kQa * kQb);
}

}  // namespace farrier
