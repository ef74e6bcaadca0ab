// Opens the page of a running server in a headless Chromium. Run by `./dev test-browser`:
// node server_page.mjs URL, of a server that tests/browser/serve_page has asked things.
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
  assert.match(cells[2], /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  assert.ok(Number(cells[3]) > 3);
  assert.equal(cells[5], 'unchanged');
  assert.match(cells[6], /UTC$/);
});
await test('failures are grouped by their reason', async (page) => {
  assert.equal(await page.locator('#failures tr').count(), 2);
  const cells = await row(page, 'failures', 'broken on purpose').locator('td').allTextContents();
  assert.equal(cells[0], '1');
  assert.equal(cells[2], 'broken.test');
  assert.match(await row(page, 'nodes', 'broken.test').getAttribute('class'), /bad/);
});
await test('certificates to sign are shown with the command', async (page) => {
  const cells = await row(page, 'requests', 'waiting.test').locator('td').allTextContents();
  assert.match(cells[1], /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  assert.equal(cells[2], 'bunraku ca sign --certname waiting.test');
});
await test('environments are shown with their generations', async (page) => {
  const cells = await row(page, 'environments', 'production').locator('td').allTextContents();
  assert.match(cells[1], /environments\/production$/);
  assert.match(cells[2], /^\d+$/);
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

await browser.close();
console.log(`server page: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
