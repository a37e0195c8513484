// What `heddle predict` says in the end: the findings, and a line per question.
#pragma once

#include <string>
#include <vector>

#include "cli/predict_confirm.h"
#include "predict/paper.h"
#include "predict/prediction.h"
#include "trace/counts.h"

namespace heddle {

struct PredictReport {
  const order::Facts& facts;
  std::string path;
  TraceCounts counts;
  predict::PredictOptions options;
  predict::Prediction prediction = {};
  std::optional<predict::PaperResult> paper = {};  // --mode paper
  std::vector<std::string> files = {};             // of the first findings, in the same order
  std::size_t counting = 0;                        // so many findings count as found
  Replays replays = {};
  double seconds = 0;  // without reading the trace
};

// Of the trace beside a finding's file.
std::string witness_path(const std::string& finding_path);

void print_for_people(const PredictReport& report);
void print_json(const PredictReport& report);

}  // namespace heddle
