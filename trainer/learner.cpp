#include "trainer/learner.h"

#include <cmath>

#include "engine/base/error.h"
#include "trainer/device.h"
#include "trainer/operator_adamw.h"
#include "trainer/operator_graph.h"
#include "trainer/tensor_views.h"
#include "trainer/torch_model.h"

namespace farrier {
namespace {

using torch::Tensor;

/// By our own kernels (model.cpp, adamw.cpp), on the threads of the calling oneTBB arena.
class KernelLearner final : public Learner {
 public:
  explicit KernelLearner(NnueModel model) : model_(std::move(model)) {}

  StepResult step(const SparseBatch& batch, std::span<const float> targets,
                  const StepSettings& settings) override {
    model_->drop_gradients();
    const Tensor loss = settings.loss.mean(model_->forward(batch), view_of(targets));
    StepResult result;
    result.loss = loss.item<float>();
    if (!std::isfinite(result.loss)) return result;
    loss.backward();
    result.gradient_norm = model_->limit_gradients(settings.max_grad_norm);
    if (std::isfinite(result.gradient_norm))
      adamw_step(optimizer_, model_->trained_values(), settings.adamw, arena_parallel());
    return result;
  }

  std::vector<float> logits(const SparseBatch& batch) override {
    const torch::NoGradGuard no_grad;
    return to_vector(model_->forward(batch));
  }

  FloatNet net() const override { return model_->to_float_net(); }
  void set_net(const FloatNet& net) override { model_->from_float_net(net); }
  AdamwState optimizer() const override { return optimizer_; }
  void set_optimizer(AdamwState state) override { optimizer_ = std::move(state); }

 private:
  NnueModel model_;
  AdamwState optimizer_;
};

/// Does it, and tells in a sentence if the device's memory does not suffice.
template <class F>
auto within_memory(const std::string& device, const F& f) {
  try {
    return f();
  } catch (const c10::OutOfMemoryError&) {
    throw UserError(
        "--device " + device,
        "has too little free memory for this net and batch; lower train.batch, or train elsewhere");
  }
}

/// By LibTorch's own operators, on any device that it has.
class OperatorLearner final : public Learner {
 public:
  OperatorLearner(NnueModel model, std::string device_name)
      : device_name_(std::move(device_name)),
        device_(device_name_ == "cpu-operators" ? "cpu" : device_name_),
        model_(std::move(model)),
        optimizer_(*model_, device_) {}

  StepResult step(const SparseBatch& batch, std::span<const float> targets,
                  const StepSettings& settings) override {
    return within_memory(device_name_, [&] {
      model_->drop_gradients();
      const Tensor logits = operator_logits(*model_, batch, device_);
      const Tensor loss = settings.loss.mean(logits, to_device(view_of(targets), device_));
      loss.backward();
      Tensor gradients = optimizer_.gradients();
      // Read together, for one wait until the device is done.
      const std::vector<float> read = to_vector(torch::stack({loss.detach(), gradients.norm()}));
      const StepResult result{read[0], read[1]};
      if (!std::isfinite(result.loss) || !std::isfinite(result.gradient_norm)) return result;
      if (settings.max_grad_norm > 0 && result.gradient_norm > settings.max_grad_norm)
        gradients.mul_(settings.max_grad_norm / result.gradient_norm);
      optimizer_.step(gradients, settings.adamw);
      return result;
    });
  }

  std::vector<float> logits(const SparseBatch& batch) override {
    return within_memory(device_name_, [&] {
      const torch::NoGradGuard no_grad;
      return to_vector(operator_logits(*model_, batch, device_));
    });
  }

  FloatNet net() const override { return model_->to_float_net(); }
  void set_net(const FloatNet& net) override { model_->from_float_net(net); }
  AdamwState optimizer() const override { return optimizer_.state(); }
  void set_optimizer(AdamwState state) override { optimizer_.set_state(state); }

 private:
  std::string device_name_;
  torch::Device device_;
  NnueModel model_;
  OperatorAdamw optimizer_;
};

}  // namespace

std::unique_ptr<Learner> make_learner(const std::string& device, const Architecture& architecture, int rows,
                                      int rows_per_bucket, std::uint64_t seed) {
  require_device(device);
  at::set_num_threads(1);  // its threads wait by spinning, see parallel.h; our kernels have their own
  NnueModel model(architecture, rows, rows_per_bucket, seed);
  if (device == kCpuDevice) return std::make_unique<KernelLearner>(std::move(model));
  return std::make_unique<OperatorLearner>(std::move(model), device);
}

}  // namespace farrier
