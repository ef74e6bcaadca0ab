module PuppetX
  module P
    module First
      NAMES = %w[a b].map { |name| name.upcase }
    end
  end
end
