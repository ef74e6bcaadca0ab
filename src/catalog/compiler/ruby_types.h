// Resource types that modules define in Ruby. A worker describes each type once; the description is
// kept in a file below the setting vardir, under the contents of all files that took part, so that
// the next compilation starts no Ruby for it. Types that `puppet generate types` wrote into the
// environment are read from there.
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
  // All arguments must outlive this. `directory` is where descriptions are kept; empty: nowhere.
  RubyTypes(const Environment& environment, Loader& loader, Evaluator& evaluator,
            std::string directory);

  // Returns the type that the file at `path` defines. Throws EvaluationError. The type lives as
  // long as this and its environment, which keeps types that need no more Ruby for other
  // compilations.
  const NativeType* load(Name name, const std::string& path, const Place& place);
  // Loads the type from the files of `generate types`; null when it has none.
  const NativeType* load_generated(Name name);

 private:
  // Returns null when the environment does not have the type yet.
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
