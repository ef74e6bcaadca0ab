type A::Other = String
