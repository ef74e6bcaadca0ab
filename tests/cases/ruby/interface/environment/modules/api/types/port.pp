type Api::Port = Integer[1, 65535]
