# The names that code of modules may use where the system is no Windows; loaded when code uses one.

# frozen_string_literal: true

module Puppet
  module Util
    module Windows
      module File; end
      module Registry; end
      class EventLog; end

      module ADSI # rubocop:disable Style/Documentation
        class ADSIObject; end
        class User < ADSIObject; end
        class Group < ADSIObject; end
        class UserProfile; end
      end

      module Service
        DEFAULT_TIMEOUT = 30
      end

      module SID
        class Principal; end
      end
    end
  end
end
