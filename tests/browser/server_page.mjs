// Opens the page of a running server in a headless Chromium. Run by `./dev test-browser`:
// node server_page.mjs URL [DIRECTORY], for a server that tests/browser/serve_page has sent requests to; screenshots are
// written to the directory.
import { chromium } from 'playwright-core';
import assert from 'node:assert/strict';

const url = process.argv[2];
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
let passed = 0, failed = 0;
const test = async (name, body) => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1200, height: 800 } });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error' && !message.text().includes('favicon')) problems.push(message.text()); });
  page.on('request', (request) => { if (!request.url().startsWith(url)) problems.push(`asks for ${request.url()}`); });
  try {
    const response = await page.goto(url + '/bunraku/');
    assert.equal(response.status(), 200);
    await body(page, response);
    assert.deepEqual(problems, []);
    ++passed;
  } catch (error) {
    ++failed;
    console.error(`${name}: ${error.message}`);
  }
  await context.close();
};
const row = (page, table, text) => page.locator(`#${table} tr`, { hasText: text });

await test('nodes are shown with their last catalogs and reports', async (page) => {
  assert.match(await page.title(), /Bunraku: localhost/);
  const cells = await row(page, 'nodes', 'agent1.test').locator('td').allTextContents();
  assert.equal(cells[1], 'production');
  assert.match(cells[2], /^\d+ (s|min) ago$/);
  const time = row(page, 'nodes', 'agent1.test').locator('time').first();
  assert.match(await time.getAttribute('title'), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  assert.ok(Number(cells[3]) > 3);
  assert.equal(cells[5], 'unchanged');
  assert.match(cells[6], /ago$/);
});
await test('nodes that need a look come first', async (page) => {
  const marks = await page.locator('#nodes tbody tr').evaluateAll((rows) => rows.map((one) => one.className));
  assert.ok(marks.includes('good') && marks.includes('bad'));
  assert.ok(marks.lastIndexOf('bad') < marks.indexOf('good'));
});
await test('failures are grouped by their reason', async (page) => {
  assert.equal(await page.locator('#failures tbody tr').count(), 2);
  const cells = await row(page, 'failures', 'broken on purpose').locator('td').allTextContents();
  assert.deepEqual([cells[0], cells[1], cells[3]], ['1', 'catalog', 'broken.test']);
  assert.match(await row(page, 'nodes', 'broken.test').getAttribute('class'), /bad/);
});
await test('failed runs are grouped by what failed first', async (page) => {
  const group = row(page, 'failures', 'Service[web]: could not start');
  assert.equal(await group.locator('td').first().textContent(), '5');
  const names = group.locator('details');
  assert.equal(await names.locator('summary').textContent(), 'many1.test and 4 more');
  await names.locator('summary').click();
  assert.match(await names.textContent(), /many5\.test/);
  assert.equal(await page.locator('.tile', { hasText: 'failed runs' }).locator('b').textContent(), '5');
});
await test('nodes are found by a part of their names', async (page) => {
  await page.fill('input[name=node]', 'many3');
  await page.click('button');
  assert.equal(await page.locator('#nodes tbody tr').count(), 1);
  assert.match(await page.textContent('#nodes'), /many3\.test/);
});
await test('certificates to sign are shown with the command', async (page) => {
  const cells = await row(page, 'requests', 'waiting.test').locator('td').allTextContents();
  assert.match(cells[2], /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  assert.equal(cells[3], 'bunraku ca sign --certname waiting.test');
  assert.equal(await page.locator('.tile', { hasText: 'to sign' }).locator('b').textContent(), '1');
});
await test('environments are shown with their generations', async (page) => {
  const cells = await row(page, 'environments', 'production').locator('td').allTextContents();
  assert.match(cells[1], /environments\/production$/);
  assert.match(cells[2], /^\d+$/);
  assert.equal(cells[3], '2');
});
await test('a narrow screen shows all of it', async (page) => {
  await page.setViewportSize({ width: 400, height: 800 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 400, `it is ${width} wide`);
});
await test('what agents send is text and nothing else', async (page) => {
  assert.equal(await page.locator('script').count(), 0);
  assert.equal(await page.locator('img').count(), 0);
  assert.match(await page.textContent('#nodes'), /<img src=x onerror=alert\(1\)>/);
});
await test('nothing may be loaded by it', async (page, response) => {
  assert.match(response.headers()['content-security-policy'], /default-src 'none'/);
  assert.match(response.headers()['content-security-policy'], /frame-ancestors 'none'/);
});
await test('it is read with dark colours too', async (page) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgba(0, 0, 0, 0)');
});

if (process.argv[3]) {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1200, height: 1000 }, colorScheme });
    const page = await context.newPage();
    await page.goto(url + '/bunraku/');
    await page.screenshot({ path: `${process.argv[3]}/server_page_${colorScheme}.png` });
    await context.close();
  }
}
await browser.close();
console.log(`server page: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
