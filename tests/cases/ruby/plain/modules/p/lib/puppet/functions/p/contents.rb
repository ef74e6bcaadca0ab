Puppet::Functions.create_function(:'p::contents') do
  def contents(path)
    require 'open-uri'
    return 'none' unless File.exist?(path)
    begin
      File.read(path)
    rescue StandardError => e
      e.class.to_s
    end
  end
end
