class a::broken {
