class A::Upper { notice("upper") }
