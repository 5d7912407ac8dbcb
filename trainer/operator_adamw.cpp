#include "trainer/operator_adamw.h"

#include "trainer/tensor_views.h"

namespace farrier {
namespace {

using torch::Tensor;

/// Tensors of any shape, one after the other.
Tensor joined(const std::vector<Tensor>& parts) {
  std::vector<Tensor> flat;
  for (const Tensor& part : parts) flat.push_back(part.reshape({-1}));
  return torch::cat(flat);
}

}  // namespace

OperatorAdamw::OperatorAdamw(NnueModelImpl& model, torch::Device device) : parameters_(model.parameters()) {
  const torch::NoGradGuard no_grad;
  std::vector<Tensor> limits;
  for (const Tensor& p : parameters_) limits.push_back(torch::full({p.numel()}, model.limit_of(p)));
  limits_ = joined(limits).to(device);
  values_ = joined(parameters_).to(device);
  first_ = torch::zeros_like(values_);
  second_ = torch::zeros_like(values_);
  std::int64_t start = 0;
  for (Tensor& p : parameters_) {
    p.set_data(values_.narrow(0, start, p.numel()).view(p.sizes()));
    start += p.numel();
  }
}

Tensor OperatorAdamw::gradients() const {
  std::vector<Tensor> all;
  for (const Tensor& p : parameters_) all.push_back(p.grad());
  return joined(all);
}

void OperatorAdamw::step(const Tensor& gradients, const AdamwSettings& s) {
  const torch::NoGradGuard no_grad;
  const AdamwFactors f(s, ++steps_);
  first_.mul_(s.beta1).add_(gradients, 1 - s.beta1);
  second_.mul_(s.beta2).addcmul_(gradients, gradients, 1 - s.beta2);
  const Tensor root = second_.sqrt().mul_(f.root_factor).add_(s.epsilon);
  values_.mul_(f.decayed).addcdiv_(first_, root, -f.step);
  values_.clamp_(-limits_, limits_);
}

AdamwState OperatorAdamw::state() const {
  AdamwState state;
  state.steps = steps_;
  if (steps_ == 0) return state;
  const Tensor first = first_.cpu(), second = second_.cpu();
  std::int64_t start = 0;
  for (const Tensor& p : parameters_) {
    state.moments.push_back(
        {to_vector(first.narrow(0, start, p.numel())), to_vector(second.narrow(0, start, p.numel()))});
    start += p.numel();
  }
  return state;
}

void OperatorAdamw::set_state(const AdamwState& state) {
  steps_ = state.steps;
  first_.zero_();
  second_.zero_();
  std::int64_t start = 0;
  for (const Moments& moments : state.moments) {
    const auto count = static_cast<std::int64_t>(moments.first.size());
    const auto copy = [&](const std::vector<float>& from, const Tensor& to) {
      to.narrow(0, start, count).copy_(view_of(from));
    };
    copy(moments.first, first_);
    copy(moments.second, second_);
    start += count;
  }
}

}  // namespace farrier
