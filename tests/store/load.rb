# frozen_string_literal: true

# Clients that write to servers of one store, and the check of its contents afterwards: everything that was acknowledged, and
# no partial writes. The test defines PROGRAM, WORK, OPTIONS[:port] and give_up(text).
require 'fileutils'
require 'json'
require 'net/http'
require 'time'

NODES = 6
RESOURCES = 12

# Tests define the cleanup and the message.
def failed(text)
  give_up(text)
  exit! 1
end

# --- a process that serves the store ---

class Server
  attr_reader :pid, :port

  def initialize(number, url, **limits)
    @port = OPTIONS[:port] + number
    @words = [PROGRAM, 'store', 'serve', '--store', url, '--listen', "127.0.0.1:#{@port}", '--vardir', "#{WORK}/#{number}",
              '--confdir', WORK]
    start(**limits)
  end

  def log
    File.read("#{WORK}/#{@port}.log")
  end

  def start(**limits)
    path = "#{WORK}/#{@port}.log"
    FileUtils.rm_f(path)
    @pid = spawn(*@words, out: path, err: path, **limits)
    600.times do
      return if log.include?('listening on')

      failed("a server has ended: #{log}") if Process.wait(@pid, Process::WNOHANG)
      sleep 0.02
    end
    failed('a server does not start')
  end

  def kill
    Process.kill(:KILL, @pid)
    Process.wait(@pid)
  end

  def depth
    answer = Net::HTTP.get_response('127.0.0.1', '/status/v1/services/puppetdb-status', @port)
    JSON.parse(answer.body)['status']['queue_depth']
  end

  # Waits until all commands that wait for the database have been stored.
  def settle
    2400.times do
      return if depth.zero?

      sleep 0.05
    end
    failed('commands wait for ever')
  end
end

# --- commands ---

def body(node, count, extra)
  { certname: "node#{node}", environment: 'production', producer: nil,
    producer_timestamp: (Time.utc(2026, 1, 1) + count).iso8601(3) }.merge(extra)
end

def facts(node, count)
  body(node, count, values: (1..8).to_h { |i| ["fact#{i}", count] })
end

def catalog(node, count)
  resources = (1..RESOURCES).map do |i|
    { type: 'Notify', title: "n#{i}", exported: false, file: nil, line: nil, tags: ['notify'], parameters: { count: } }
  end
  edges = (2..RESOURCES).map do |i|
    { source: { type: 'Notify', title: 'n1' }, target: { type: 'Notify', title: "n#{i}" }, relationship: 'before' }
  end
  body(node, count, version: count.to_s, transaction_uuid: nil, catalog_uuid: nil, code_id: nil, job_id: nil,
                    resources:, edges:)
end

def report(node, count)
  time = (Time.utc(2026, 1, 1) + count).iso8601(3)
  events = [{ status: 'success', timestamp: time, property: 'ensure', name: nil, new_value: count, old_value: nil,
              message: 'changed', corrective_change: false }]
  resources = (1..5).map do |i|
    { skipped: false, timestamp: time, resource_type: 'Notify', resource_title: "n#{i}", file: nil, line: nil,
      containment_path: [], corrective_change: false, events: }
  end
  body(node, count, puppet_version: '8.0.0', report_format: 12, configuration_version: count.to_s, start_time: time,
                    end_time: time, transaction_uuid: nil, catalog_uuid: nil, status: 'changed', noop: false,
                    noop_pending: false, corrective_change: false, logs: [], metrics: [], code_id: nil, job_id: nil,
                    cached_catalog_status: nil, type: 'agent', resources:)
end

COMMANDS = { 'replace_facts' => [5, method(:facts)], 'replace_catalog' => [9, method(:catalog)],
             'store_report' => [8, method(:report)] }.freeze

# Sends a node's commands, one after the other, to one of the servers, and records which ones were
# acknowledged.
class Client
  attr_reader :acknowledged, :refused

  def initialize(node, ports)
    @node = node
    @ports = ports
    @count = 0
    @acknowledged = { 'replace_facts' => 0, 'replace_catalog' => 0, 'store_report' => [] }
    @refused = 0
  end

  def run_until(ended)
    http = nil
    until ended.call
      http ||= connect
      next sleep(0.01) if http.nil?

      http = nil unless send_one(http)
    end
    http&.finish
  end

  private

  def connect
    Net::HTTP.start('127.0.0.1', @ports.sample, read_timeout: 30)
  rescue SystemCallError
    nil
  end

  # Returns false when the connection cannot be used again.
  def send_one(http)
    @count += 1
    name = COMMANDS.keys.sample
    version, make = COMMANDS[name]
    path = "/pdb/cmd/v1?command=#{name}&version=#{version}&certname=node#{@node}"
    answer = http.post(path, JSON.generate(make.call(@node, @count)), 'Content-Type' => 'application/json')
    if answer.code == '200'
      name == 'store_report' ? @acknowledged[name] << @count : @acknowledged[name] = @count
    else
      @refused += 1
      failed("answered #{answer.code}: #{answer.body}") if answer.code != '503'
    end
    true
  rescue SystemCallError, IOError, Net::ReadTimeout, Net::HTTPBadResponse
    false
  end
end

# --- stored contents ---

def ask(port, endpoint, query = nil)
  uri = URI("http://127.0.0.1:#{port}/pdb/query/v4/#{endpoint}")
  answer = Net::HTTP.post(uri, JSON.generate(query.nil? ? {} : { query: }), 'Content-Type' => 'application/json')
  failed("#{endpoint}: #{answer.code} #{answer.body}") unless answer.code == '200'
  JSON.parse(answer.body)
end

def check_facts(port, clients)
  found = ask(port, 'facts').group_by { |row| row['certname'] }
  clients.each_with_index do |client, node|
    counts = found.fetch("node#{node}", []).map { |row| row['value'] }
    least = client.acknowledged['replace_facts']
    next if least.zero? && counts.empty?

    failed("node#{node} has half of its facts: #{counts}") if counts.uniq.size != 1 || counts.size != 8
    failed("the facts of node#{node} are #{counts[0]}, acknowledged was #{least}") if counts[0] < least
  end
end

def check_catalogs(port, clients)
  found = ask(port, 'catalogs').to_h { |row| [row['certname'], row] }
  clients.each_with_index do |client, node|
    least = client.acknowledged['replace_catalog']
    row = found["node#{node}"]
    next if row.nil? && least.zero?

    failed("the catalog of node#{node} is missing") if row.nil?
    counts = row['resources']['data'].map { |resource| resource['parameters']['count'] }
    failed("node#{node} has half of a catalog") if counts != [row['version'].to_i] * RESOURCES ||
                                                   row['edges']['data'].size != RESOURCES - 1
    failed("the catalog of node#{node} is #{counts[0]}, acknowledged was #{least}") if counts[0] < least
  end
end

def check_reports(port, clients)
  found = ask(port, 'reports', ['extract', %w[certname configuration_version], ['~', 'certname', '.']])
          .group_by { |row| row['certname'] }
  events = ask(port, 'events', ['extract', ['report', %w[function count]], ['~', 'certname', '.'], %w[group_by report]])
  half = events.find { |row| row['count'] != 5 }
  failed("a report has half of its events: #{half}") if half
  clients.each_with_index do |client, node|
    versions = found.fetch("node#{node}", []).map { |row| row['configuration_version'].to_i }
    missing = client.acknowledged['store_report'] - versions
    failed("reports of node#{node} are lost: #{missing}") unless missing.empty?
  end
  failed('reports have no events') if events.size != found.values.sum(&:size)
end

def check_store(url)
  text = IO.popen([PROGRAM, 'store', 'check', '--store', url, '--vardir', WORK, '--confdir', WORK], err: %i[child out], &:read)
  failed("store check: #{text}") unless $?.success?
end


# All nodes write for a period.
def load_for(clients, seconds)
  ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
  threads = clients.map do |client|
    Thread.new { client.run_until(-> { Process.clock_gettime(Process::CLOCK_MONOTONIC) > ends }) }
  end
  yield if block_given?
  threads.each(&:join)
end

def check_everything(ports, clients, url)
  check_facts(ports.first, clients)
  check_catalogs(ports.last, clients)
  check_reports(ports.first, clients)
  check_store(url)
end
