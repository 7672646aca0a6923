#include "model/history_sources.h"

namespace resident {

BranchSources branch_sources(const ModelView& view) {
  return {view.state.refs(),
          view.state.objects(),
          view.fs,
          view.repository.common_dir,
          [&view](std::string_view key) {
            std::vector<std::string> values;
            for (std::string_view value : view.state.config().get_all(key)) {
              values.emplace_back(value);
            }
            return values;
          },
          view.state.git_rules()};
}

OperationSources operation_sources(const ModelView& view) {
  return {view.fs,
          view.state.refs(),
          view.state.objects(),
          view.state.config(),
          view.state.git_rules(),
          view.repository};
}

}  // namespace resident
