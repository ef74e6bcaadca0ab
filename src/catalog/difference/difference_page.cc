// The HTML page of a difference.
#include <fmt/format.h>

#include "base/formats/json.h"
#include "base/text/html.h"
#include "catalog/difference/difference_report.h"

namespace bunraku {
namespace {

constexpr std::string_view kStyle = R"(
body { font: 14px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70em; padding: 1em; color: #222; background: #fff; }
header { position: sticky; top: 0; background: inherit; padding: .5em 0; border-bottom: 1px solid #ccc; }
h1 { font-size: 1.2em; margin: 0 0 .3em; }
input[type=search] { width: 24em; max-width: 100%; font: inherit; padding: .2em .5em; }
details { border: 1px solid #ddd; border-radius: 4px; margin: .5em 0; padding: .3em .7em; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary b { font-weight: 600; }
.added > summary b { color: #176f2c; } .removed > summary b { color: #b3261e; } .changed > summary b { color: #8a5a00; }
.place, .nodes { color: #666; font-size: .9em; overflow-wrap: anywhere; }
pre { margin: .2em 0; overflow-x: auto; background: #f6f6f6; padding: .3em .5em; }
.line-add { color: #176f2c; background: #e6f4ea; } .line-del { color: #b3261e; background: #fce8e6; } .line-gap { color: #888; }
.note { color: #b3261e; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1b1b1b; } pre { background: #262626; } details, header { border-color: #444; }
  .line-add { color: #8fd19e; background: #16301c; } .line-del { color: #f2a59f; background: #3a1a18; }
  .added > summary b { color: #8fd19e; } .removed > summary b { color: #f2a59f; } .changed > summary b { color: #e6bd6a; }
}
)";

constexpr std::string_view kBody = R"(<header>
<h1 id="title"></h1>
<div><input type="search" id="filter" placeholder="resource, parameter, node" aria-label="Filter"> <span id="count"></span></div>
</header>
<main id="changes"></main>)";

constexpr std::string_view kScript = R"(
const make = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};
const lineClass = { '+': 'line-add', '-': 'line-del', '@': 'line-gap' };
const addLine = (pre, text) => {
  const shown = text[0] === '@' ? '…' : text;
  pre.append(make('span', lineClass[text[0]] || '', shown + '\n'));
};
const showParameter = (parameter) => {
  const block = make('div');
  block.append(make('div', '', parameter.name + (parameter.sensitive ? ': Sensitive, ' + parameter.change : '')));
  if (parameter.sensitive) return block;
  const pre = make('pre');
  if (parameter.lines) {
    for (const line of parameter.lines) addLine(pre, line);
  } else {
    if ('before' in parameter) addLine(pre, '- ' + JSON.stringify(parameter.before));
    if ('after' in parameter) addLine(pre, '+ ' + JSON.stringify(parameter.after));
  }
  block.append(pre);
  return block;
};
const countText = (count) => count.toLocaleString('en-US');
const nodesText = (nodes) => countText(nodes.length) + (nodes.length === 1 ? ' node' : ' nodes');
const showChange = (change) => {
  const block = make('details', change.change);
  const summary = make('summary');
  const sign = { added: '+ ', removed: '- ', changed: '~ ' }[change.change];
  if (change.nodes) summary.append(make('span', '', nodesText(change.nodes) + ': '));
  summary.append(make('b', '', sign + change.resource));
  block.append(summary);
  if (change.place) block.append(make('div', 'place', change.place));
  for (const parameter of change.parameters || []) block.append(showParameter(parameter));
  if (change.removed_edges || change.added_edges) {
    const pre = make('pre');
    for (const edge of change.removed_edges || []) addLine(pre, '- ' + edge);
    for (const edge of change.added_edges || []) addLine(pre, '+ ' + edge);
    block.append(pre);
  }
  if (change.differs_by_name) block.append(make('div', 'nodes', 'as ' + change.nodes[0] + ' has it; the others have their own names in it'));
  if (change.nodes) block.append(make('div', 'nodes', change.nodes.join(', ')));
  block.dataset.text = JSON.stringify(change).toLowerCase();
  return block;
};
document.getElementById('title').textContent = data.before + ' → ' + data.after;
const main = document.getElementById('changes');
for (const [title, notes] of [['A dependency cycle is new: ', data.cycles], ['Not compared: ', data.failures]]) {
  for (const note of notes) {
    main.append(make('p', 'note', title + note.message + (note.nodes ? ' (' + note.nodes.join(', ') + ')' : '')));
  }
}
const blocks = data.changes.map(showChange);
main.append(...blocks);
if (blocks.length <= 20) for (const block of blocks) block.open = true;
const filter = document.getElementById('filter');
const apply = () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter((word) => word);
  let shown = 0;
  for (const block of blocks) {
    block.hidden = !words.every((word) => block.dataset.text.includes(word));
    if (!block.hidden) ++shown;
  }
  const sum = 'nodes' in data ? countText(data.changed_nodes) + ' of ' + countText(data.nodes) + ' nodes differ, ' : '';
  document.getElementById('count').textContent = sum + countText(shown) + ' of ' + countText(blocks.length) + ' changes';
};
filter.addEventListener('input', apply);
apply();
)";

}  // namespace

std::string difference_page(const DifferenceReport& report) {
  std::string json;
  JsonWriter writer(json);
  write_difference(writer, report);
  return html_page(fmt::format("{} → {}", report.before, report.after), kStyle, kBody, json,
                   kScript);
}

}  // namespace bunraku
