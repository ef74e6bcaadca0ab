# Manifests for comparing runs: several in a file, each with a title.
#
#   --- a title
#   # setup: a shell command, run in the empty directory $ROOT before the first run
#   # change: the same, before the third run
#   # args: --noop
#   # environment: NAME=VALUE, in a guest
#   (in commands of manifests $APPLIER_PID is the program that applies them)
#   # differs: D503, an entry of docs/differences.yaml
#   # needs: a file of the guest without which the reference cannot apply it
#   # fakes: programs of apply_fakes/ that precede those of the system
#   file { '<root>/x': content => 'x' }
ApplyCase = Struct.new(:title, :setup, :change, :arguments, :environment, :fakes, :differs, :needs, :manifest)

def read_apply_cases(files)
  files.flat_map do |file|
    File.read(file).split(/^--- /).drop(1).map do |text|
      title, *lines = text.lines
      said = Hash.new { |hash, key| hash[key] = [] }
      code = lines.reject do |line|
        line =~ /\A# (setup|change|args|environment|fakes|differs|needs): (.*)/ && said[$1] << $2
      end
      ApplyCase.new("#{File.basename(file, '.manifests')}: #{title.strip}", said['setup'].join("\n"),
                    said['change'].join("\n"), said['args'].join(' ').split, said['environment'].to_h { |line| line.split('=', 2) },
                    said['fakes'].join(' ').split, said['differs'].first, said['needs'], code.join)
    end
  end
end
