// Notes down, when it is asked to, where everything in a catalog comes from.
#pragma once

#include "catalog/compiler/provenance.h"

namespace bunraku {

struct Collector;

// Without start() each call costs the test of a pointer.
class Recorder {
 public:
  // `data` answers the look-ups from now on. Both must outlive the compilation.
  void start(Provenance& provenance, RecordingData& data);

  // An attribute was set. `container` is what handed it down.
  void change(const Resource& resource, const ResourceParameter& parameter, Origin origin,
              const Resource* container = nullptr);
  // A class was asked for by code in `scope`.
  void class_request(const Definition& definition, Provenance::Request::Kind kind,
                     const Place& place, const Scope& scope);
  // A virtual resource became real.
  void realization(const Resource& resource, const Collector& collector);

 private:
  Provenance* provenance_ = nullptr;
  RecordingData* data_ = nullptr;
};

}  // namespace bunraku
