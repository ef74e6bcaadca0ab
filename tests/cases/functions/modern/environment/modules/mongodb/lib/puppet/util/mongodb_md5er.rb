# Known by this text: Digest::MD5.hexdigest("#{username}:mongo:#{password}")
