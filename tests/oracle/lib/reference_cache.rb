require 'digest'
require 'fileutils'
require 'json'
require 'zlib'

module Oracle
  # Sends requests to a session, and caches its answers on disk by everything that they depend on:
  # the request, and the content of its facts and of all modules. The session is created on first
  # use.
  class ReferenceCache
    def initialize(directory, modulepath, &make_session)
      @directory = directory
      @make_session = make_session
      @modules = tree_digest(modulepath) if directory
    end

    def answer(request)
      stored(request) || store(request, session.answer(request), false)
    end

    # Returns the answer of a session that has loaded nothing yet.
    def answer_anew(request)
      answer = stored(request)
      return answer if answer && @anew
      session.forget_environments
      store(request, session.answer(request), true)
    end

    private

    def session
      @session ||= @make_session.call
    end

    def stored(request)
      return unless @directory
      @anew, answer = JSON.parse(Zlib.gunzip(File.binread(file_of(request))))
      answer
    rescue Errno::ENOENT
      nil
    end

    def store(request, answer, anew)
      return answer unless @directory
      FileUtils.mkdir_p(@directory)
      file = file_of(request)
      File.binwrite("#{file}.new", Zlib.gzip(JSON.generate([anew, answer])))
      File.rename("#{file}.new", file)
      answer
    end

    def file_of(request)
      key = [@modules, request, File.binread(request['facts'])]
      "#{@directory}/#{Digest::SHA256.hexdigest(JSON.generate(key))}"
    end

    def tree_digest(modulepath)
      files = Dir.glob('*/{manifests,lib,functions,types,templates,data,files}/**/*', base: modulepath).sort
      files.concat(Dir.glob('*/{metadata.json,hiera.yaml}', base: modulepath).sort)
      digest = Digest::SHA256.new
      files.each do |name|
        file = File.join(modulepath, name)
        digest << name << "\0" << Digest::SHA256.file(file).digest if File.file?(file)
      end
      digest.hexdigest
    end
  end
end
