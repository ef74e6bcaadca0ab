# The resource types and providers that are native.
room(apply/providers
  USES base apply/reports apply/transaction
  FACE file/bucket.h file/checksum.h package/package_provider.h registry.h service/service_provider.h)
