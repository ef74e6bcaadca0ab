# What a run has left behind, without what differs from run to run, and its comparison with another.
class Outcome
  TIMES = %w[time evaluation_time].freeze
  NAMES_OF_ITS_OWN = %w[transaction_uuid catalog_uuid configuration_version puppet_version host].freeze

  def initialize(root, output, status)
    @root = root
    @output = lines_of(output)
    @status = status
    @tree = tree_of(File.join(root, 'work'))
    @report = report_of(File.join(root, 'var/state/last_run_report.yaml'))
  end

  attr_reader :output, :status, :tree, :report

  def differences(other)
    found = []
    found << "exit code #{status}, and #{other.status} of bunraku" if status != other.status
    found.concat(list_difference('output', output, other.output))
    found.concat(list_difference('tree', tree, other.tree))
    found.concat(list_difference('report', report, other.report))
    found
  end

  private

  # Times, temporary names and the root itself.
  def plain(text)
    text.dup.force_encoding('UTF-8').scrub
        .gsub(@root, '<base>')
        .gsub(/\d{8}-\d+-[0-9a-z]+/, '<temporary>')
        .gsub(/in \d+\.\d+ seconds/, 'in <time> seconds')
        .gsub(/current_value .*, should be .* \(noop\)/, '<change> (noop)')
        .gsub(/(: |^)[^:\n]+ \(noop\)$/, '\1<change> (noop)')
        .gsub(/^(---|\+\+\+) (\S+)\s.*$/, '\1 \2')
        .gsub(/configuration version '\d+'/, "configuration version '<version>'")
        .gsub(/base64:\S+/, '<base64>')
  end

  # The reference reports facts that it cannot find out on this machine.
  def lines_of(output)
    plain(output).lines.map(&:chomp).reject { |line| line =~ /Facter|^\s+\^+$/ || line.empty? }
  end

  def tree_of(directory)
    Dir.glob('**/*', File::FNM_DOTMATCH, base: directory).sort.map do |path|
      next if path == '.' || path.end_with?('/.')
      full = File.join(directory, path)
      info = File.lstat(full)
      contents = info.symlink? ? plain(File.readlink(full)) : info.file? ? plain(File.binread(full)) : ''
      format('%s %s %o %d:%d %p', path, info.ftype, info.mode & 0o7777, info.uid, info.gid, contents)
    end.compact
  end

  def report_of(file)
    return ['none'] unless File.exist?(file)
    report = YAML.safe_load(File.read(file).sub(/\A--- !ruby\S+/, '---'))
    NAMES_OF_ITS_OWN.each { |name| report.delete(name) }
    report['metrics'].delete('time')
    flatten('', without_times(report))
  end

  def without_times(value)
    case value
    when Hash then value.reject { |key, _| TIMES.include?(key) }.transform_values { |item| without_times(item) }
    when Array then value.map { |item| without_times(item) }
    else value
    end
  end

  def flatten(path, value)
    case value
    when Hash then value.empty? ? ["#{path}: {}"] : value.flat_map { |key, item| flatten("#{path}/#{plain(key.to_s)}", item) }
    when Array
      return ["#{path}: []"] if value.empty?
      value.each_with_index.flat_map { |item, index| flatten("#{path}/#{index}", item) }
    when String then ["#{path}: #{plain(value).inspect}"]
    else ["#{path}: #{value.inspect}"]
    end
  end

  def list_difference(what, theirs, ours)
    return [] if theirs == ours
    missing = subtract(theirs, ours).first(12).map { |line| "#{what} - #{line}" }
    added = subtract(ours, theirs).first(12).map { |line| "#{what} + #{line}" }
    missing + added + (missing.empty? && added.empty? ? ["#{what}: another order"] : [])
  end

  def subtract(list, other)
    rest = other.tally
    list.reject { |line| (rest[line] || 0).positive? && rest[line] -= 1 }
  end
end
