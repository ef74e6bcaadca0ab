# The running command, which types and providers can stop; loaded when code names the class.

# frozen_string_literal: true

module Puppet
  # Resources that are left are skipped when a stop was requested.
  class Application
    class << self
      attr_accessor :run_status

      def clear!
        self.run_status = nil
      end

      def stop!
        self.run_status = :stop_requested
        Bunraku.ask('apply.stop') if defined?(Bunraku::Apply)
      end

      # Concerns a daemon after the run, which ends its process for each run anyway.
      def restart!
        self.run_status = :restart_requested
      end

      def clear?
        run_status.nil?
      end

      def stop_requested?
        run_status == :stop_requested
      end

      def restart_requested?
        run_status == :restart_requested
      end

      def interrupted?
        !clear?
      end
    end
  end
end
