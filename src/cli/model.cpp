// heddle model: looks at a model without running it.
#include "model/model.h"

#include <fstream>
#include <memory>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "model/graph.h"

namespace heddle {
namespace {

using model::Model;
using Json = nlohmann::ordered_json;

struct CheckOptions {
  ModelOptions model;
  bool json = false;
};

struct GraphOptions {
  ModelOptions model;
  std::string output;
};

struct Counts {
  std::size_t shared = 0, shared_words = 0, local = 0;
  std::size_t locks = 0, conditions = 0, semaphores = 0;
  std::size_t forked = 0, visible = 0, branching = 0, choosing = 0, may_fail = 0;
};

void count_sync(const Model& model, Counts& counts) {
  for (const model::SyncObject& object : model.sync_objects) {
    if (object.kind == model::SyncKind::condition) {
      ++counts.conditions;
    } else if (object.kind == model::SyncKind::semaphore) {
      ++counts.semaphores;
    } else {
      ++counts.locks;
    }
  }
}

Counts count(const Model& model) {
  Counts counts;
  for (const model::Variable& variable : model.variables) {
    if (variable.shared()) ++counts.shared;
    if (!variable.shared() && !variable.temporary) ++counts.local;
  }
  counts.shared_words = model.layout.shared_words;
  count_sync(model, counts);
  for (const model::ModelThread& thread : model.threads) counts.forked += thread.forked ? 1 : 0;
  for (const model::StateId state : indices(model.states)) {
    counts.visible += model.states[state].inner ? 0 : 1;
    counts.choosing += model.chooses(state) ? 1 : 0;
  }
  for (const model::Transition& transition : model.transitions) {
    counts.branching += transition.guard.valid() ? 1 : 0;
    counts.may_fail += transition.may_fail ? 1 : 0;
  }
  return counts;
}

Json parameters_json(const Model& model) {
  Json made = Json::object();
  for (const model::Parameter& parameter : model.parameters) {
    if (parameter.is_bool) {
      made[parameter.name] = parameter.value != 0;
    } else {
      made[parameter.name] = parameter.value;
    }
  }
  return made;
}

void print_json(const Model& model, const Counts& counts) {
  Json threads = Json::array();
  for (const model::ModelThread& thread : model.threads) threads.push_back(thread.name);
  const Json report = {{"file", model.source.name()},
                       {"parameters", parameters_json(model)},
                       {"threads", threads},
                       {"forked_threads", counts.forked},
                       {"shared_variables", counts.shared},
                       {"shared_words", counts.shared_words},
                       {"local_variables", counts.local},
                       {"locks", counts.locks},
                       {"conditions", counts.conditions},
                       {"semaphores", counts.semaphores},
                       {"control_states", model.states.size()},
                       {"visible_states", counts.visible},
                       {"transitions", model.transitions.size()},
                       {"branching_transitions", counts.branching},
                       {"choices", counts.choosing},
                       {"transitions_that_may_fail", counts.may_fail}};
  print("{}\n", report.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_for_people(const Model& model, const Counts& counts) {
  print("{}: a model of {} threads\n", model.source.name(), model.threads.size());
  for (const model::Parameter& parameter : model.parameters) {
    print("  param {} = {}\n", parameter.name, parameter.value);
  }
  for (const model::ThreadTemplate& made : model.templates) {
    const bool forked = made.count > 0 && model.threads[made.first].forked;
    print("  thread {}: {}{}\n", made.name, made.count, forked ? ", forked" : "");
  }
  print("shared variables        {} ({} words)\n", counts.shared, counts.shared_words);
  print("local variables         {}\n", counts.local);
  print("locks                   {}\n", counts.locks);
  print("conditions              {}\n", counts.conditions);
  print("semaphores              {}\n", counts.semaphores);
  print("control states          {} ({} visible)\n", model.states.size(), counts.visible);
  print("transitions             {}\n", model.transitions.size());
  print("  branching             {}\n", counts.branching);
  print("  that may fail         {}\n", counts.may_fail);
}

ExitStatus run_check(const CheckOptions& options) {
  return with_model(options.model, [&](const Model& model) {
    if (options.json) {
      print_json(model, count(model));
    } else {
      print_for_people(model, count(model));
    }
    return ExitStatus::ok;
  });
}

ExitStatus write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return ExitStatus::ok;
  return fail(ExitStatus::output_failed, fmt::format("cannot write {}", path));
}

ExitStatus run_graph(const GraphOptions& options) {
  return with_model(options.model, [&](const Model& model) {
    const std::string text = model::graphviz(model);
    if (!options.output.empty()) return write_file(options.output, text);
    print_text(text);
    return ExitStatus::ok;
  });
}

Action declare_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  options->model.declare(app);
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run_check(*options); };
}

Action declare_graph(CLI::App& app) {
  const auto options = std::make_shared<GraphOptions>();
  options->model.declare(app);
  app.add_option("-o,--output", options->output, "write to this file, not to standard output")
      ->type_name("FILE");
  return [options] { return run_graph(*options); };
}

constexpr Command kCheckCommand = {
    .name = "check",
    .summary = "parse a model and print what it consists of",
    .help =
        "Says what is wrong with a model, each mistake with its line, or else how many\n"
        "threads, variables, locks, control states and transitions it has.\n"
        "\n"
        "A visible control state is one where other threads may run; the others stand inside\n"
        "an atomic block or in front of a purely local statement.\n"
        "\n"
        "Exit status: 0 if the model is right, 65 if not, 64 for a wrong command line.\n"
        "The language: docs/model-language.md; examples: examples/models/.",
    .declare = declare_check,
};

constexpr Command kGraphCommand = {
    .name = "graph",
    .summary = "write the control-flow graph of a model for Graphviz",
    .help =
        "One cluster per thread. Boxes are control states where other threads may run, with\n"
        "the line of the next statement; diamonds branch; points are states that a thread\n"
        "passes without stopping.\n"
        "\n"
        "To look at it:    heddle model graph FILE | dot -Tsvg > model.svg",
    .declare = declare_graph,
};

constexpr const Command* kModelCommands[] = {&kCheckCommand, &kGraphCommand};

}  // namespace

constinit const Command kModelCommand = {
    .name = "model",
    .summary = "look at a model: check it, draw it",
    .help =
        "A model is a small concurrent program in a language of its own, for protocols and\n"
        "algorithms; docs/model-language.md describes it.",
    .children = kModelCommands,
};

}  // namespace heddle
