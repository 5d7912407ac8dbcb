#include "trainer/model_validation.h"

#include <algorithm>

#include "trainer/batch_stream.h"

namespace farrier {

ValidationSums validate(Learner& learner, const Dataset& dataset, const Architecture& architecture,
                        const Labels& labels, const Loss& loss, std::size_t batch_size) {
  constexpr std::size_t kLeast = 4096;
  StreamOptions options;
  options.batch = std::max(batch_size, kLeast);
  options.shuffled = false;
  options.partial = true;
  BatchStream stream(dataset, architecture, DataPart::Validation, options);
  ValidationSums sums;
  while (auto batch = stream.next()) {
    const std::vector<float> logits = learner.logits(*batch);
    for (std::size_t i = 0; i < batch->size(); ++i) {
      ValidationSample sample;
      sample.forecast = expected_result(logits[i], 1);
      sample.score_part = labels.score_part(batch->score_cp_stm[i]);
      sample.result = batch->result_stm[i];
      sample.loss = loss.of(logits[i], labels.target(batch->score_cp_stm[i], batch->result_stm[i]));
      sample.phase = batch->phase[i];
      sums.add(sample);
    }
    stream.recycle(std::move(batch));
  }
  return sums;
}

}  // namespace farrier
