# Resource types and providers that modules have in Ruby, for the transaction.
room(ruby/types
  USES base values types serialization ruby/worker apply/reports apply/transaction
       apply/providers
  FACE ruby_type.h)
