# frozen_string_literal: true

module PuppetX
  module Api
    # Helps.
    class Helper
      def self.help(text)
        "helped #{text} #{Puppet::Util::Package.versioncmp('1', '2')}"
      end
    end
  end
end
