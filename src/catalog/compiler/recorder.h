// Records the origin of everything in a catalog, on demand.
#pragma once

#include "catalog/compiler/provenance.h"

namespace bunraku {

struct Collector;

// Without start() each call costs one test of a pointer.
class Recorder {
 public:
  // Starts recording. `data` answers look-ups from now on. Both must outlive the compilation.
  void start(Provenance& provenance, RecordingData& data);

  // Records that an attribute was set. `container` is the resource that it was inherited from.
  void change(const Resource& resource, const ResourceParameter& parameter, Origin origin,
              const Resource* container = nullptr);
  // Records that code in `scope` requested a class.
  void class_request(const Definition& definition, Provenance::Request::Kind kind,
                     const Place& place, const Scope& scope);
  // Records that a virtual resource was realized.
  void realization(const Resource& resource, const Collector& collector);

 private:
  Provenance* provenance_ = nullptr;
  RecordingData* data_ = nullptr;
};

}  // namespace bunraku
