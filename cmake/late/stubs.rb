#!/usr/bin/env ruby
# stubs.rb LIBRARY NM MACHINE: writes assembler with one function for each function of the shared LIBRARY. The first call of
# a function loads the library and looks the function up; all calls jump to it. MACHINE is x86_64 or aarch64.
library, nm, machine = ARGV
soname = `readelf -dW #{library}`[/SONAME.*\[(.*)\]/, 1] or abort("stubs.rb: #{library} has no SONAME")
# Data cannot be looked up late: a program that uses it does not link.
functions = `#{nm} -D --defined-only #{library}`.scan(/^\S+ [TWi] ([A-Za-z_]\w*)(?:@@\S+)?$/).flatten.uniq
abort("stubs.rb: #{library} has no functions") if functions.empty?

# The argument registers are preserved during the lookup; r10 and r11 (x16, x17) are free between caller and function.
FIND = {
  'x86_64' => <<~TEXT,
    find:
      .cfi_startproc
      pushq %rbp
      .cfi_def_cfa_offset 16
      .cfi_offset %rbp, -16
      movq %rsp, %rbp
      .cfi_def_cfa_register %rbp
      subq $192, %rsp
      movq %rax, (%rsp)
      movq %rdi, 8(%rsp)
      movq %rsi, 16(%rsp)
      movq %rdx, 24(%rsp)
      movq %rcx, 32(%rsp)
      movq %r8, 40(%rsp)
      movq %r9, 48(%rsp)
    #{(0..7).map { |i| "  movups %xmm#{i}, #{64 + 16 * i}(%rsp)" }.join("\n")}
      leaq soname(%rip), %rdi
      movq %r10, %rsi
      movq %r11, %rdx
      call bunraku_find_late@PLT
      movq %rax, %r11
      movq (%rsp), %rax
      movq 8(%rsp), %rdi
      movq 16(%rsp), %rsi
      movq 24(%rsp), %rdx
      movq 32(%rsp), %rcx
      movq 40(%rsp), %r8
      movq 48(%rsp), %r9
    #{(0..7).map { |i| "  movups #{64 + 16 * i}(%rsp), %xmm#{i}" }.join("\n")}
      leave
      .cfi_def_cfa %rsp, 8
      jmpq *%r11
      .cfi_endproc
  TEXT
  'aarch64' => <<~TEXT
    find:
      .cfi_startproc
      stp x29, x30, [sp, #-224]!
      .cfi_def_cfa_offset 224
      .cfi_offset x29, -224
      .cfi_offset x30, -216
      mov x29, sp
    #{(0..8).step(2).map { |i| "  stp x#{i}, x#{i + 1}, [sp, ##{16 + 8 * i}]" }.join("\n")}
    #{(0..7).step(2).map { |i| "  stp q#{i}, q#{i + 1}, [sp, ##{96 + 16 * i}]" }.join("\n")}
      adrp x0, soname
      add x0, x0, :lo12:soname
      mov x1, x16
      mov x2, x17
      bl bunraku_find_late
      mov x16, x0
    #{(0..8).step(2).map { |i| "  ldp x#{i}, x#{i + 1}, [sp, ##{16 + 8 * i}]" }.join("\n")}
    #{(0..7).step(2).map { |i| "  ldp q#{i}, q#{i + 1}, [sp, ##{96 + 16 * i}]" }.join("\n")}
      ldp x29, x30, [sp], #224
      br x16
      .cfi_endproc
  TEXT
}.freeze

CALL = {
  'x86_64' => <<~TEXT,
    \tendbr64
    \tmovq slot.%<name>s(%%rip), %%r11
    \ttestq %%r11, %%r11
    \tjz 1f
    \tjmpq *%%r11
    1:\tleaq name.%<name>s(%%rip), %%r10
    \tleaq slot.%<name>s(%%rip), %%r11
    \tjmp find
  TEXT
  'aarch64' => <<~TEXT
    \tbti c
    \tadrp x17, slot.%<name>s
    \tadd x17, x17, :lo12:slot.%<name>s
    \tldr x16, [x17]
    \tcbz x16, 1f
    \tbr x16
    1:\tadrp x16, name.%<name>s
    \tadd x16, x16, :lo12:name.%<name>s
    \tb find
  TEXT
}.freeze

puts '.section .rodata.late,"a"', "soname: .asciz \"#{soname}\"", '.text', FIND.fetch(machine)
functions.each do |name|
  # One section for each function, so that the linker removes those that are not called.
  puts ".section .text.late.#{name},\"ax\"", ".globl #{name}", ".type #{name}, %function", "#{name}:",
       format(CALL.fetch(machine), name: name), ".size #{name}, . - #{name}",
       ".section .rodata.late.#{name},\"a\"", "name.#{name}: .asciz \"#{name}\"",
       ".section .bss.late.#{name},\"aw\",%nobits", '.balign 8', "slot.#{name}: .zero 8"
end
puts '.section .note.GNU-stack,"",%progbits'
