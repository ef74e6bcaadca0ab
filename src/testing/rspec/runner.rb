# frozen_string_literal: true

# Runs suites of rspec-puppet on several processors: ruby runner.rb REQUEST, a JSON object with
#   adapter     the file that lets rspec-puppet compile with bunraku; null: Puppet compiles
#   suites      directories that contain spec/, each {"name", "directory"}
#   patterns    parts of the paths of spec files; empty: all files
#   jobs        how many processes run examples concurrently
#   format      "text" or "json"
#   arguments   options for rspec
#
# This process loads RSpec and Puppet once. Each suite is a fork of it, which loads the suite's helper
# once and forks the processes that run its files.
require 'json'
require 'tmpdir'
require 'fileutils'

module Bunraku
  # Files of this program and of libraries, which are removed from backtraces, as they show no
  # mistake of a suite.
  OWN_FILES = [/#{Regexp.escape(__FILE__)}/, %r{/rspec-core[^/]*/lib/}, %r{/lib/ruby/(vendor_ruby|[\d.]+)/(rspec|rubygems|monitor)}].freeze

  # The spec files of a suite, divided among processes, and their results.
  class SpecSuite
    attr_reader :name, :files
    attr_accessor :shares

    def initialize(suite, patterns)
      @name = suite['name']
      @directory = suite['directory']
      @files = Dir.chdir(@directory) { Dir.glob('spec/**/*_spec.rb') }.sort
      @files.reject! { |file| file.start_with?('spec/fixtures/', 'spec/acceptance/', 'spec/integration/') }
      @files.select! { |file| patterns.any? { |pattern| file.include?(pattern) } } unless patterns.empty?
      @shares = 1
    end

    def size
      @size ||= @files.sum { |file| File.size(File.join(@directory, file)) }
    end

    # Runs everything in a process of its own, and writes the result to a file.
    def run(arguments, results, path)
      Dir.chdir(@directory)
      $LOAD_PATH.unshift(File.expand_path('lib'), File.expand_path('spec'))
      load_helper
      paths = share_out.each_with_index.map do |files, number|
        "#{results}/share-#{Process.pid}-#{number}".tap { |share| fork { run_share(files, arguments, share) } }
      end
      Process.waitall
      File.write(path, JSON.generate(joined(paths.map { |share| part_of(share) })))
    end

    private

    # Loads the helper. Each share repeats the parts that need rspec to run.
    def load_helper
      require File.expand_path('spec/spec_helper') if File.exist?('spec/spec_helper.rb')
      SpecAdapter.install if defined?(SpecAdapter)
    rescue StandardError, LoadError
      @helper_failed = true
    end

    # Divides the files, the largest first, each to the share with the smallest total.
    def share_out
      shares = Array.new([@shares, @files.size].min) { [] }
      sizes = Array.new(shares.size, 0)
      @files.sort_by { |file| -File.size(file) }.each do |file|
        least = sizes.index(sizes.min)
        sizes[least] += File.size(file)
        shares[least] << file
      end
      shares.map(&:sort)
    end

    def run_share(files, arguments, path)
      $stdout.reopen("#{path}.out", 'w')
      $stderr.reopen($stdout)
      keep_coverage(path)
      RSpec.configuration.backtrace_exclusion_patterns.concat(OWN_FILES)
      options = RSpec::Core::ConfigurationOptions.new(
        [*arguments, '--format', 'json', '--out', "#{path}.json", *files]
      )
      status = RSpec::Core::Runner.new(options).run($stderr, $stdout)
      $stdout.flush
      exit!(status.to_i)
    rescue SystemExit => e
      exit!(e.status)
    rescue Exception => e # rubocop:disable Lint/RescueException
      e.set_backtrace(e.backtrace.reject { |frame| OWN_FILES.any? { |own| own.match?(frame) } }) if e.backtrace
      $stderr.puts(e.full_message(highlight: false))
      $stderr.flush
      exit!(1)
    end

    # Saves the coverage of a share, which knows only its own examples. It is merged at the end.
    def keep_coverage(path)
      return unless defined?(RSpec::Puppet::Coverage)

      RSpec::Puppet::Coverage.instance.define_singleton_method(:report!) do |desired = nil|
        File.write("#{path}.coverage", JSON.generate(
          desired: desired, filters: filters, resources: @collection.map { |name, found| [name, found.touched?] },
          patterns: respond_to?(:filters_regex) ? filters_regex.map(&:source) : []
        ))
      end
    end

    def part_of(path)
      examples = JSON.parse(File.read("#{path}.json"))
      part = { examples: examples['examples'], errors: examples.dig('summary', 'errors_outside_of_examples_count').to_i }
      part[:problems] = problems_of(File.read("#{path}.out"), examples['messages']) if part[:errors].positive?
      part[:coverage] = JSON.parse(File.read("#{path}.coverage")) if File.exist?("#{path}.coverage")
      part
    rescue SystemCallError, JSON::ParserError
      { examples: [], errors: 1, problems: problems_of(File.exist?("#{path}.out") ? File.read("#{path}.out") : '', []) }
    end

    # [text, file] of all errors outside of examples. Errors of files that could not be loaded are
    # messages of the formatter. The file is nil where the text names none.
    def problems_of(output, messages)
      texts = [output, *messages].map { |text| text.gsub("#{Dir.pwd}/", './').gsub(/^(No examples found\.|Finished in .*|\d+ examples?, .*)$/, '').strip }
      texts.reject(&:empty?).map do |text|
        file = text[/\AAn error occurred while loading (\S+)\.(?: - Did you mean\?)?$/, 1]
        [file ? text.lines.drop(1).join.sub(/\A\s*rspec (\S+)\n/, '').strip : text, file]
      end
    end

    def joined(parts)
      problems = parts.flat_map { |part| part[:problems] || [] }.uniq
      errors = parts.sum { |part| part[:errors] }
      # An error that prevents loading the helper occurs in each share.
      errors = [errors, problems.size].min unless problems.empty?
      { name: @name, files: @files.size, examples: parts.flat_map { |part| part[:examples] }, errors: errors, problems: problems,
        coverage: coverage_of(parts.map { |part| part[:coverage] }.compact) }
    end

    # The counts that one process would have had.
    def coverage_of(parts)
      return if parts.empty?

      filters = parts.flat_map { |part| part['filters'] }
      patterns = parts.flat_map { |part| part['patterns'] }.map { |source| Regexp.new(source) }
      touched = {}
      parts.each do |part|
        part['resources'].each { |name, is_touched| touched[name] ||= is_touched }
      end
      touched.reject! { |name, _| filters.include?(name) || patterns.any? { |pattern| pattern.match?(name) } }
      { total: touched.size, touched: touched.count { |_, is_touched| is_touched },
        untouched: touched.reject { |_, is_touched| is_touched }.keys.sort,
        desired: parts.map { |part| part['desired'] }.compact.max }
    end
  end

  # All suites, and the output.
  class SpecRun
    def initialize(request)
      @request = request
      @suites = request['suites'].map { |suite| SpecSuite.new(suite, request['patterns']) }
      @suites.reject! { |suite| suite.files.empty? }
      @jobs = request['jobs']
      share_jobs
    end

    def run
      return none if @suites.empty?

      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      results = run_suites
      @seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
      @request['format'] == 'json' ? write_json(results) : write_text(results)
      results.all? { |result| passed?(result) } ? 0 : 1
    end

    private

    def none
      warn 'bunraku: there are no spec files'
      1
    end

    # Gives each suite a number of processes in proportion to its spec files.
    def share_jobs
      all = [@suites.sum(&:size), 1].max
      @suites.each { |suite| suite.shares = (@jobs * suite.size.fdiv(all)).ceil.clamp(1, @jobs) }
    end

    def run_suites
      directory = Dir.mktmpdir('bunraku-test')
      waiting = @suites.each_with_index.sort_by { |suite, _| -suite.size }
      running = {}
      until waiting.empty? && running.empty?
        while !waiting.empty? && (running.empty? || running.values.sum + waiting.first[0].shares <= @jobs)
          suite, number = waiting.shift
          running[start(suite, directory, number)] = suite.shares
        end
        running.delete(Process.wait)
      end
      @suites.each_index.map { |number| result_of(number, directory) }
    ensure
      FileUtils.rm_rf(directory) if directory
    end

    def start(suite, directory, number)
      fork do
        $stdin.reopen(File::NULL)
        $stdout.reopen($stderr) # the output of helpers is not part of the result
        suite.run(@request['arguments'], directory, "#{directory}/suite-#{number}")
        exit!(0)
      rescue Exception => e # rubocop:disable Lint/RescueException
        warn e.full_message(highlight: false)
        exit!(1)
      end
    end

    def result_of(number, directory)
      JSON.parse(File.read("#{directory}/suite-#{number}"))
    rescue SystemCallError
      { 'name' => @suites[number].name, 'files' => @suites[number].files.size, 'examples' => [], 'errors' => 1,
        'problems' => [], 'coverage' => nil }
    end

    def count(result, status)
      result['examples'].count { |example| example['status'] == status }
    end

    def passed?(result)
      result['errors'].zero? && count(result, 'failed').zero? && covered?(result['coverage'])
    end

    def covered?(coverage)
      coverage.nil? || coverage['desired'].nil? || percentage(coverage) >= coverage['desired']
    end

    def percentage(coverage)
      coverage['total'].zero? ? 100.0 : coverage['touched'] * 100.0 / coverage['total']
    end

    def write_json(results)
      suites = results.map do |result|
        { name: result['name'], files: result['files'], examples: result['examples'].size,
          failed: count(result, 'failed'), pending: count(result, 'pending'), errors: result['errors'],
          output: output_of(result), coverage: result['coverage'], passed: passed?(result),
          failures: failures(result).map { |example| failure_data(example) } }
      end
      puts JSON.pretty_generate(suites: suites, seconds: @seconds.round(3))
    end

    # In the order of the files, whichever process ran them.
    def failures(result)
      failed = result['examples'].select { |example| example['status'] == 'failed' }
      failed.sort_by.with_index { |example, number| [example['file_path'], example['line_number'], number] }
    end

    def failure_data(example)
      { id: example['id'], description: example['full_description'], file: example['file_path'],
        line: example['line_number'], message: example.dig('exception', 'message').to_s }
    end

    def write_text(results)
      write_problems(results)
      results.each { |result| write_failures(result) }
      width = results.map { |result| result['name'].size }.max
      results.each { |result| puts line_of(result, width) }
      totals = { 'examples' => results.flat_map { |result| result['examples'] },
                 'errors' => results.sum { |result| result['errors'] } }
      puts format("\n%<counts>s in %<seconds>.1f s", counts: counts_of(totals), seconds: @seconds)
    end

    # The errors of the suites' helpers and files, each with the file that it prevented from
    # running.
    def output_of(result)
      result['problems'].map { |text, file| [text, *file].join("\n") }.join("\n")
    end

    # Backtraces of one cause differ in their first files.
    def without_backtrace(text)
      text.gsub(/^# .*\n?/, '').strip
    end

    # Shows a cause that several files or suites share once.
    def write_problems(results)
      found = results.flat_map { |result| result['problems'].map { |text, file| [text, result['name'], file] } }
      found.group_by { |text,| without_backtrace(text) }.each_value do |same|
        text = same.first.first
        puts "#{same.map { |one| one[1] }.uniq.join(', ')}: outside of examples\n#{indented(text)}"
        files = same.map(&:last).compact
        puts "  #{files.first}#{" and #{counted(files.size - 1, 'more file')}" if files.size > 1}" unless files.empty?
        puts
      end
    end

    def write_failures(result)
      failures(result).each do |example|
        puts "#{result['name']}: #{example['full_description']}"
        puts indented(example.dig('exception', 'message').to_s)
        puts "  #{example['file_path']}:#{example['line_number']}\n\n"
      end
    end

    def indented(text)
      text.strip.lines.map { |line| "  #{line.chomp}" }.join("\n")
    end

    def line_of(result, width)
      line = format("%-#{width}s  %s", result['name'], counts_of(result))
      coverage = result['coverage'] or return line

      line += format(', %<touched>d of %<total>d resources touched (%<percentage>.2f %%)',
                     touched: coverage['touched'], total: coverage['total'], percentage: percentage(coverage))
      covered?(coverage) ? line : "#{line}, which is less than #{coverage['desired']} %"
    end

    def counts_of(result)
      parts = [counted(result['examples'].size, 'example'), "#{count(result, 'failed')} failed"]
      pending = count(result, 'pending')
      parts << "#{pending} pending" if pending.positive?
      parts << "#{counted(result['errors'], 'error')} outside of examples" if result['errors'].positive?
      parts.join(', ')
    end

    def counted(number, noun)
      "#{number} #{noun}#{'s' unless number == 1}"
    end
  end
end

# Loads the parts of Puppet that all suites need, before they are forked. Helpers are left out,
# because they may require their own versions in their own order.
def preload
  require 'puppet'
  require 'puppet/test/test_helper'
  require 'facter/framework/core/file_loader'
  names = %i[exec file filebucket group notify package resources schedule service stage tidy user]
  Bunraku::SpecAdapter.early_types = names.each { |name| Puppet::Type.type(name) }
  Facter.clear # each suite has facts of its own
  4.times { GC.start } # what is old is not written to by collections in the forks, and stays shared
rescue LoadError, StandardError
  nil # suites load what they need themselves
end

request = JSON.parse($stdin.read)
begin
  require request['adapter'] if request['adapter']
  require 'rspec/core'
  # A single suite loads what it needs before it forks.
  preload if request['adapter'] && request['suites'].size > 1
rescue LoadError => e
  warn "bunraku: #{e.message}: rspec, rspec-puppet and puppet are needed for test suites"
  exit 69
end
exit Bunraku::SpecRun.new(request).run
