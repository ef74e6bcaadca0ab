// Resource types that modules have in Ruby. What a compilation needs of one is asked of a worker
// once and kept in a file under the setting vardir, by the content of all files that took part, so
// that the next compilation starts no Ruby for it. What `puppet generate types` wrote into an
// environment is read where it is there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "resource_types/native_type.h"
#include "site/environment/environment.h"
#include "site/environment/loader.h"
#include "evaluation/function.h"

namespace bunraku {

class RubyTypes {
 public:
  // All must outlive it. `folder` is where results are kept; empty: nowhere.
  RubyTypes(const Environment& environment, Loader& loader, Evaluator& evaluator,
            std::string folder);

  // The type that the file at `path` defines. Throws EvaluationError. It lives as long as this.
  const NativeType* load(Name name, const std::string& path, const Place& place);
  // The same from what `generate types` wrote; null when that is not there.
  const NativeType* load_generated(Name name);

 private:
  Value described(Name name, const std::string& path, const Place& place);
  Value kept(const std::string& file);
  void keep(const std::string& file, Value description);
  const NativeType* make(Name name, const std::string& path, Value description);
  const NativeType* add(std::unique_ptr<NativeType> type);

  const Environment& environment_;
  Loader& loader_;
  Evaluator& evaluator_;
  std::string folder_;
  std::vector<std::unique_ptr<NativeType>> types_;
  std::vector<std::unique_ptr<TitleParser>> title_parsers_;
};

}  // namespace bunraku
