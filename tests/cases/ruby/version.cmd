# Ruby code gets the version of the language that the program implements.
# case: oracle=no
documented=$(bunraku --version | sed 's/.*(Puppet language \(.*\))/\1/')
bunraku eval -e 'inline_template("<%= Puppet.version %> <%= Puppet::PUPPETVERSION %>")' | sed "s/$documented/<version>/g"
