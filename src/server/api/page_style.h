// The style sheet of the server's page, for light and dark, wide and narrow screens.
#pragma once

#include <string_view>

namespace bunraku::server {

constexpr std::string_view kPageStyle = R"(
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--line:#dfe3e8;--text:#1c2530;--quiet:#5f6b7a;--good:#1a7f4b;
--bad:#c0322b;--warn:#a86400;--accent:#2456b8;--code:#eef1f5}
@media(prefers-color-scheme:dark){:root{--ground:#14181d;--card:#1c2229;--line:#313a45;--text:#e3e8ee;--quiet:#97a3b2;
--good:#4cc38a;--bad:#ff7b72;--warn:#e3a23c;--accent:#86aefc;--code:#262e38}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,"Segoe UI","Helvetica Neue",Arial,sans-serif}
header,main,footer{max-width:84rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:1.75rem}
h1{margin:0;font-size:1.5rem;font-weight:650;letter-spacing:-.01em}
h1 span{color:var(--quiet);font-weight:400}
header p,footer p{margin:.2rem 0 0;color:var(--quiet)}
footer{padding-bottom:2rem}
h2{margin:0;font-size:1.05rem;font-weight:650}
h2 small{margin-left:.4rem;color:var(--quiet);font-weight:400;font-size:1em}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:1.25rem 0}
.tile,section{background:var(--card);border:1px solid var(--line);border-radius:.6rem}
.tile{padding:.75rem 1rem;color:inherit;text-decoration:none}
a.tile:hover,a.tile:focus-visible{border-color:var(--accent)}
.tile b{display:block;font-size:1.6rem;font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums}
.tile span{color:var(--quiet);font-size:.9rem}
.tile.bad b{color:var(--bad)}.tile.warn b{color:var(--warn)}.tile.good b{color:var(--good)}
section{margin:0 0 1.25rem;overflow:hidden}
section>div.head{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;padding:.85rem 1rem}
section>p{margin:0;padding:0 1rem 1rem;color:var(--quiet)}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse}
th,td{padding:.45rem 1rem;border-top:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--quiet);font-weight:500;font-size:.85rem;white-space:nowrap}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
td.reason{overflow-wrap:anywhere;min-width:18rem}
tbody tr:hover{background:color-mix(in srgb,var(--accent) 6%,transparent)}
tr.bad td:first-child{box-shadow:inset 3px 0 var(--bad)}
tr.good td:first-child{box-shadow:inset 3px 0 var(--good)}
.mark{display:inline-block;padding:0 .5rem;border:1px solid currentColor;border-radius:1rem;font-size:.85rem;white-space:nowrap;color:var(--quiet)}
.mark.failed{color:var(--bad)}.mark.changed{color:var(--accent)}.mark.unchanged{color:var(--good)}
time{white-space:nowrap}
code{padding:.1rem .35rem;border-radius:.3rem;background:var(--code);font:13px/1.5 ui-monospace,"DejaVu Sans Mono",Menlo,monospace;overflow-wrap:anywhere}
form{display:flex;gap:.5rem}
input,button{padding:.3rem .6rem;border:1px solid var(--line);border-radius:.4rem;background:var(--ground);color:inherit;font:inherit}
details summary{cursor:pointer;color:var(--accent)}
a{color:var(--accent)}
@media(max-width:40rem){header,main,footer{padding-left:.75rem;padding-right:.75rem}th,td{padding:.4rem .6rem}}
)";

}  // namespace bunraku::server
