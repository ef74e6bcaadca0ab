type A::Two = String type A::Three = Integer
