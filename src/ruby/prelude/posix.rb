# Users and groups for types and providers; loaded when code names the module.

# frozen_string_literal: true

require 'etc'

module Puppet
  module Util
    # Methods for users (`:passwd`, `:user`, `:pw`) and groups (`:group`, `:gr`).
    module POSIX
      LOCALE_ENV_VARS = %w[LANG LC_ALL LC_MESSAGES LANGUAGE LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME].freeze
      USER_ENV_VARS = %w[HOME USER LOGNAME].freeze

      # Their fields and functions: the field with the number, the functions by name and by number.
      SPACES = [[%i[passwd user pw], %i[uid getpwnam getpwuid]], [%i[group gr], %i[gid getgrnam getgrgid]]].freeze
      private_constant :SPACES

      # The names of all groups that list the user as a member.
      def self.groups_of(user)
        found = []
        Etc.group { |group| found << group.name if group.mem.include?(user) }
        found.uniq
      end

      # The number of a user or group, given by name or number; nil when there is none.
      def uid(user)
        number_in(:passwd, user)
      end

      def gid(group)
        number_in(:group, group)
      end

      # A field of the entry with this name or number; nil when there is none.
      def get_posix_field(space, field, id)
        raise Puppet::DevError, 'Did not get id from caller' if !id

        Etc.public_send(id.is_a?(Integer) ? methodbyid(space) : methodbyname(space), id).public_send(field)
      rescue NoMethodError, ArgumentError, RangeError
        nil
      end
      alias search_posix_field get_posix_field

      def idfield(space)
        parts(space)[0]
      end

      def methodbyname(space)
        parts(space)[1]
      end

      def methodbyid(space)
        parts(space)[2]
      end

      private

      def parts(space)
        found = SPACES.find { |names, _| names.include?(space.to_sym) }
        raise ::ArgumentError, 'Can only handle users and groups' if !found

        found[1]
      end

      def number_in(space, id)
        id = id.to_i if id.is_a?(String) && id.match?(/\A\d+\z/)
        get_posix_field(space, idfield(space), id)
      end
    end
  end
end
