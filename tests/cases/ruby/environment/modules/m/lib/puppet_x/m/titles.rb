module PuppetX
  module M
    # Titles of the form owner/item.
    module Titles
      def title_patterns
        [[%r{\A([^/]+)/([^/]+)\z}, [[:owner], [:item]]],
         [/\A(.*)\z/m, [[:item, ->(text) { text }]]]]
      end
    end
  end
end
