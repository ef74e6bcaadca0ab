# Activates Ruby's own version of json, whose messages have the line of its source before the text. Debian's package has another version.
own_json = Gem::Specification.find_all_by_name('json').find(&:default_gem?)
gem('json', own_json.version) if own_json && !defined?(JSON)
