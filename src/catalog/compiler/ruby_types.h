// Resource types that modules have in Ruby. What a compilation needs of one is asked of a worker
// once and kept in a file under the setting vardir, by the content of all files that took part, so
// that the next compilation starts no Ruby for it. What `puppet generate types` wrote into an
// environment is read where it is there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluation/function.h"
#include "resource_types/native_type.h"
#include "site/environment/environment.h"
#include "site/environment/loader.h"

namespace bunraku {

class RubyTypes {
 public:
  // All must outlive it. `directory` is where results are kept; empty: nowhere.
  RubyTypes(const Environment& environment, Loader& loader, Evaluator& evaluator,
            std::string directory);

  // The type that the file at `path` defines. Throws EvaluationError. It lives as long as this and
  // its environment, which keeps what needs no Ruby any more for other compilations.
  const NativeType* load(Name name, const std::string& path, const Place& place);
  // The same from what `generate types` wrote; null when that is not there.
  const NativeType* load_generated(Name name);

 private:
  // Null when the environment keeps none.
  const NativeType* kept_type(Name name) const;
  Value described(Name name, const std::string& path, const Place& place);
  Value kept(const std::string& file);
  void keep(const std::string& file, Value description);
  const NativeType* make(Name name, const std::string& path, Value description);
  const NativeType* add(std::shared_ptr<NativeType> type);

  const Environment& environment_;
  Loader& loader_;
  Evaluator& evaluator_;
  std::string directory_;
  std::vector<std::shared_ptr<const NativeType>> types_;
  std::vector<std::unique_ptr<TitleParser>> title_parsers_;
};

}  // namespace bunraku
