// Opens the pages that the program writes in a headless Chromium, without a network, and operates them
// as users do.
// Run by `./dev test-browser`: node pages.mjs GRAPH.html READ.html DIFFERENCE.html; the first is of a
// node that was compiled for it, the second of a catalog that was read.
import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';

const [graphPath, readPath, differencePath] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
let passed = 0, failed = 0;
const test = async (name, path, body) => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  const page = await context.newPage();
  const problems = [];
  const requests = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') problems.push(message.text()); });
  page.on('request', (request) => { if (!request.url().startsWith('file:')) requests.push(request.url()); });
  try {
    await page.goto('file://' + path);
    await body(page);
    assert.deepEqual(problems, []);
    assert.deepEqual(requests, []);
    ++passed;
  } catch (error) {
    ++failed;
    console.error(`${name}: ${error.message}`);
  }
  await context.close();
};

await test('every resource is drawn', graphPath, async (page) => {
  const count = await page.evaluate(() => data.resources.length);
  assert.ok(count > 20);
  assert.equal(await page.locator('#world g').count(), count);
  assert.match(await page.textContent('#title'), new RegExp(`${count} resources`));
});
await test('the search marks what it finds and Enter goes there', graphPath, async (page) => {
  await page.fill('#search', 'file[/etc/motd]');
  assert.equal(await page.textContent('#count'), '1 found');
  assert.equal(await page.locator('#world g.found').count(), 1);
  await page.press('#search', 'Enter');
  assert.equal(await page.textContent('#panel h2'), 'File[/etc/motd]');
  const box = await page.locator('#world g.found').boundingBox();
  assert.ok(box.x > 0 && box.x < 1200 && box.y > 0 && box.y < 800);
});
await test('the search finds parameters', graphPath, async (page) => {
  await page.fill('#search', 'ensure running');
  assert.ok(await page.locator('#world g.found').count() >= 1);
  await page.fill('#search', 'no such thing at all');
  assert.equal(await page.textContent('#count'), '0 found');
});
await test('a click shows parameters and why a resource is there', graphPath, async (page) => {
  await page.fill('#search', 'file[/etc/motd]');
  await page.press('#search', 'Enter');
  await page.mouse.click(600, 790);
  await page.locator('#world g.found circle').click();
  const panel = await page.textContent('#panel');
  assert.match(panel, /Declared at .*\.pp:\d+/);
  // The chain of classes with the origin of each declaration, and the origin of each parameter.
  assert.match(panel, /in Class\[Profile::Message\]\s*contain Class\[Profile::Base\]\s+\S+base\.pp:\d+/);
  assert.match(panel, /owner\s*root\s*resource default\s+\S+00-site\.pp:\d+/);
  assert.match(panel, /content/);
  await page.locator('#panel a', { hasText: 'Class[Profile::Message]' }).first().click();
  assert.equal(await page.textContent('#panel h2'), 'Class[Profile::Message]');
});
await test('data and collectors are shown', graphPath, async (page) => {
  const kinds = await page.evaluate(() => {
    const found = new Set();
    const walk = (reason) => { found.add(reason.kind); (reason.because || []).forEach(walk); };
    data.resources.forEach((resource) => walk(resource.why));
    return [...found];
  });
  for (const kind of ['data_source', 'collector', 'include', 'declaration', 'parameter_default']) assert.ok(kinds.includes(kind), kind);
});
await test('a catalog that was read shows what contains a resource', readPath, async (page) => {
  await page.fill('#search', 'file[/etc/motd]');
  await page.press('#search', 'Enter');
  const panel = await page.textContent('#panel');
  assert.match(panel, /Through/);
  assert.match(panel, /Class\[Profile::Message\]/);
});
await test('zoom', graphPath, async (page) => {
  const scale = () => page.evaluate(() => Number(/scale\(([^)]*)\)/.exec(document.getElementById('world').getAttribute('transform'))[1]));
  const before = await scale();
  await page.click('#in');
  assert.ok(await scale() > before);
  await page.mouse.move(400, 400);
  await page.mouse.wheel(0, 600);
  await page.waitForFunction((value) => Number(/scale\(([^)]*)\)/.exec(document.getElementById('world').getAttribute('transform'))[1]) < value * 1.3, before);
  await page.click('#all');
  assert.ok(Math.abs(await scale() - before) < 0.05 * before);
});
await test('nothing Sensitive is in the page', graphPath, async (page) => {
  assert.ok(!readFileSync(graphPath, 'utf8').includes('not-a-real-password'));
  assert.ok(!readFileSync(graphPath, 'utf8').includes('s3cret'));
  assert.ok(await page.evaluate(() => data.resources.some((resource) => resource.sensitive.length > 0)));
});
await test('a difference is shown and filtered', differencePath, async (page) => {
  const count = await page.locator('#changes details').count();
  assert.ok(count > 1);
  await page.fill('#filter', '/etc/motd');
  assert.equal(await page.locator('#changes details:visible').count(), 1);
  await page.fill('#filter', '');
  assert.equal(await page.locator('#changes details:visible').count(), count);
  assert.ok(await page.locator('.line-add').count() > 0);
});
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
