type M::Size = Integer[0, 10]
