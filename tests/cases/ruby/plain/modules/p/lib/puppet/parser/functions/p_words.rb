$LOAD_PATH.unshift(File.join(File.dirname(__FILE__), '..', '..', '..'))
require 'puppet_x/p/words'
module Puppet::Parser::Functions
  newfunction(
    :p_words,
    type: :rvalue,
    doc: <<~DOC,
      Changes words.
    DOC
  ) do |arguments|
    options = arguments[0]
    options['words'] << 'added'
    [PuppetX::P::Words.all(options['words']), options]
  end
end
