# frozen_string_literal: true

# Needs more than the feature of this name that is built in.
Puppet.features.add(:zlib, libs: %w[zlib no_such_library])
