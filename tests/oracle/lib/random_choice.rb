# For what makes something at random: `@random` is asked, so that a seed gives the same every time.
module Oracle
  module RandomChoice
    private

    def chance(percent)
      @random.rand(100) < percent
    end

    def pick(list)
      list[@random.rand(list.size)]
    end
  end
end
