require_relative '../../../puppet_x/p/words'
Puppet::Functions.create_function(:'p::words') do
  def words(text)
    [PuppetX::P::Words.all(text.split), PuppetX::P::Words::all(text.split, ['a']), PuppetX::P::Words::LONG]
  end
end
