// The HTML report in headless Chromium. `cargo test --test browser` writes the pages and starts this.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const folder = process.env.SEADRIFT_PAGES;
const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const address = (name) => pathToFileURL(path.join(folder, `${name}.html`)).href;

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.SEADRIFT_CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
});
after(async () => { await browser.close(); });

// Opens a page in a profile of its own. `seen` collects what must not happen: requests, violations, errors, dialogs.
const open = async (name, { hash = '', ...options } = {}) => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const seen = [];
  page.on('request', (request) => { if (!request.url().startsWith(address(name))) seen.push(`request ${request.url()}`); });
  page.on('console', (message) => { seen.push(`console ${message.text()}`); });
  page.on('pageerror', (error) => { seen.push(`error ${error}`); });
  page.on('dialog', (dialog) => { seen.push(`dialog ${dialog.message()}`); void dialog.dismiss(); });
  await page.goto(address(name) + hash);
  return { context, page, seen };
};

const within = async (name, options, run) => {
  const { context, page, seen } = await open(name, options);
  try {
    await run(page, seen, context);
  } finally {
    await context.close();
  }
};

const openAll = (page) => page.evaluate(() => { for (const details of document.querySelectorAll('details')) details.open = true; });
const shown = (page) => page.locator('.f:visible').count();
const hash = (page) => page.evaluate(() => location.hash);
// The policy of the page forbids what Playwright's own waiting for a text needs.
const counted = async (page, text) => {
  for (let i = 0; i < 100; i += 1) {
    if ((await page.locator('#count').textContent()) === text) return;
    await page.waitForTimeout(30);
  }
  assert.equal(await page.locator('#count').textContent(), text);
};

const NAMES = ['clean', 'demo', 'fleet', 'hostile'];
const LOOKS = {
  light: {},
  dark: { colorScheme: 'dark' },
  '320 pixels': { viewport: { width: 320, height: 640 } },
  'forced colours': { forcedColors: 'active' },
};

for (const [look, options] of Object.entries(LOOKS)) {
  for (const media of look === 'light' ? ['screen', 'print'] : ['screen']) {
    for (const name of NAMES) {
      test(`axe finds nothing in ${name}: ${look}, ${media}`, () => within(name, options, async (page) => {
        await openAll(page);
        await page.emulateMedia({ media });
        await page.evaluate(axe);
        const found = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }));
        const short = found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map((n) => [n.html.slice(0, 200), n.failureSummary]) }));
        assert.deepEqual(short, []);
        assert.ok(found.passes.length > 20, 'axe looked at the page');
      }));
    }
  }
}

for (const name of NAMES) {
  test(`nothing of ${name} is wider than 320 pixels`, () => within(name, LOOKS['320 pixels'], async (page) => {
    await openAll(page);
    const wide = await page.evaluate(() => [...document.querySelectorAll('body *')]
      .filter((e) => !e.parentElement.closest('.scroll') && e.getBoundingClientRect().right > innerWidth + 1)
      .map((e) => e.outerHTML.slice(0, 120)));
    assert.deepEqual(wide, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  }));

  test(`${name} asks for nothing, breaks no policy and runs nothing`, () => within(name, {}, async (page, seen) => {
    await openAll(page);
    await page.waitForTimeout(200);
    assert.deepEqual(seen, []);
    assert.match(await page.title(), /^(Drift|Clean|No drift that counts)[a-z, ]* · seadrift$/);
    assert.equal(await page.locator('h1').count(), 1);
  }));
}

test('the policy stops what is not ours', async () => {
  const text = fs.readFileSync(path.join(folder, 'fleet.html'), 'utf8').replace('<main>',
    '<main><script>document.title = "owned"</script><img src="x.png" onerror="document.title = \'owned\'"><style>h1 { display: none }</style><b style="display:none">b</b>');
  fs.writeFileSync(path.join(folder, 'tampered.html'), text);
  await within('tampered', {}, async (page, seen) => {
    assert.notEqual(await page.title(), 'owned');
    assert.ok(await page.locator('h1').isVisible());
    assert.ok(await page.locator('main > b').isVisible());
    assert.equal(seen.filter((event) => event.includes('Content Security Policy')).length, 5, seen.join('\n'));
    assert.ok(await page.locator('#filters').isVisible(), 'our own script runs');
  });
});

test('hostile names are shown as they are', () => within('hostile', {}, async (page) => {
  const raw = JSON.parse(fs.readFileSync(path.join(folder, 'hostile.json'), 'utf8'));
  await openAll(page);
  const text = await page.evaluate(() => document.body.innerText);
  assert.doesNotMatch(text, /[\u202e\u202c\u001b\u009b\u200b\ufeff\r]/u);
  assert.ok(text.includes(`prod-eu/notification${raw}`), 'the name of a target');
  assert.ok(text.includes(`public${raw}.ProcessedIntegrationEvents${raw}`), 'the name of a table');
  assert.equal(await page.locator('main img, main svg[onload], main link, main style, main script, base').count(), 0);
  // A choice in the filters is the name itself.
  await page.selectOption('select[name=target]', { index: 2 });
  await counted(page, '4 of 8 findings');
  assert.equal(await shown(page), 4);
}));

test('without scripts the page is complete', () => within('fleet', { javaScriptEnabled: false }, async (page, seen) => {
  assert.equal(await page.locator('article').count(), 8);
  assert.ok(await page.locator('#not-checked').isVisible());
  assert.ok(await page.locator('#filters').isHidden());
  assert.equal(await page.locator('button:visible').count(), 0, 'no button that does nothing');
  const closed = page.locator('article:has(details:not([open]))').first();
  assert.ok(await closed.locator('.waiver').isHidden());
  await closed.locator('summary').click();
  assert.ok(await page.locator('.waiver').isVisible());
  assert.deepEqual(seen, []);
}));

test('paper shows what is closed on the screen, and no control', async () => {
  for (const javaScriptEnabled of [true, false]) {
    await within('fleet', { javaScriptEnabled }, async (page) => {
      const waiver = page.locator('.waiver');
      assert.ok(await waiver.isHidden());
      await page.emulateMedia({ media: 'print' });
      assert.ok((await waiver.boundingBox())?.height > 20, 'a closed card is printed');
      assert.equal(await page.locator('form:visible, button:visible').count(), 0);
    });
  }
  await within('fleet', {}, async (page) => {
    const closed = () => page.locator('details:not([open])').count();
    const before = await closed();
    assert.ok(before > 0);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.equal(await closed(), 0);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.equal(await closed(), before);
  });
});

test('filters work by keyboard, are counted aloud and are in the address', () => within('fleet', {}, async (page) => {
  await counted(page, '8 findings');
  assert.equal(await page.locator('#count').getAttribute('aria-live'), 'polite');
  await page.keyboard.press('Tab');
  assert.ok(await page.locator('.skip').isVisible(), 'the first stop is the link to the findings');
  const at = () => page.evaluate(() => document.activeElement.value);
  for (let i = 0; i < 60 && (await at()) !== 'critical'; i += 1) await page.keyboard.press('Tab');
  assert.equal(await at(), 'critical');
  await page.keyboard.press('Space');
  await counted(page, '2 of 8 findings');
  assert.equal(await shown(page), 2);
  assert.equal(await hash(page), '#severity=critical');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await counted(page, '5 of 8 findings');
  assert.equal(await hash(page), '#severity=critical%2Cerror');
  assert.ok(await page.locator('#not-checked').isVisible(), 'no filter hides what was not checked');
  await page.selectOption('[name=service]', 'notification');
  await counted(page, '4 of 8 findings');
  await page.selectOption('[name=target]', 'prod-eu/notification');
  await counted(page, '3 of 8 findings');
  await page.fill('[name=text]', 'EVENTTYPE');
  await counted(page, '1 of 8 findings');
  assert.equal(await hash(page), '#severity=critical%2Cerror&service=notification&target=prod-eu%2Fnotification&text=EVENTTYPE');
  await page.reload();
  await counted(page, '1 of 8 findings');
  assert.equal(await page.inputValue('[name=text]'), 'EVENTTYPE');
  assert.ok(await page.locator('[value=error]').isChecked());
  await page.focus('button[type=reset]');
  await page.keyboard.press('Enter');
  await counted(page, '8 findings');
  assert.equal(await shown(page), 8);
  assert.equal(await hash(page), '');
}));

test('an address with filters shows what it showed to others', async () => {
  for (const [hash, count] of [
    ['#rule=column-length&status=waived', '1 of 8 findings'],
    ['#status=lesser', '1 of 8 findings'],
    ['#status=known', '1 of 8 findings'],
    ['#text=TR_skip', '1 of 8 findings'],
    ['#severity=fatal', '8 findings'],
    ['#%', '8 findings'],
  ]) {
    await within('fleet', { hash }, async (page, seen) => {
      await counted(page, count);
      assert.deepEqual(seen, []);
      if (count.includes('of')) assert.ok(await page.locator('#filters').evaluate((e) => e.getBoundingClientRect().top < innerHeight));
    });
  }
});

test('a link to a finding opens it, whatever is filtered', () => within('fleet', {}, async (page) => {
  const waived = page.locator('article[data-status=waived]');
  const id = await waived.getAttribute('id');
  await page.check('[value=critical]', { force: true });
  await counted(page, '2 of 8 findings');
  await page.evaluate((id) => { location.hash = id; }, id);
  await counted(page, '8 findings');
  assert.ok(await waived.locator('.waiver').isVisible());
  assert.equal(await hash(page), `#${id}`);
}));

test('a statement is copied as it is shown', () => within('fleet', { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
  const figure = page.locator('.sql').first();
  assert.match(await figure.innerText(), /^Review before running/);
  await figure.locator('button').click();
  // The clipboard answers when it can; the wait ends with an error.
  await figure.getByText('Copied', { exact: true }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, 'CREATE UNIQUE INDEX CONCURRENTLY "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");');
}));

// The processor time of each process that shows pages, in seconds: on a busy machine the clock says little about a page.
const spent = async (session) => {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]));
};

test('five thousand findings open within two seconds, in ten megabytes, and can be filtered', async () => {
  assert.ok(fs.statSync(path.join(folder, 'long.html')).size <= 10_000_000);
  const session = await browser.newBrowserCDPSession();
  const times = [];
  for (let i = 0; i < 3; i += 1) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    const page = await context.newPage();
    const before = await spent(session);
    await page.goto(address('long'));
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    times.push(Math.max(...[...await spent(session)].map(([id, time]) => time - (before.get(id) ?? 0))));
    if (i === 0) {
      await counted(page, '5,000 findings');
      assert.ok(await page.locator('.more').first().isVisible(), 'the rest of a long list is folded');
      await page.fill('[name=text]', 'processedintegrationevents_4990');
      await counted(page, '1 of 5,000 findings');
      assert.equal(await shown(page), 1, 'it was folded and is in sight now');
    }
    await context.close();
  }
  assert.ok(Math.min(...times) <= 2, `${times} s`);
});

test('nothing moves', () => within('fleet', {}, async (page) => {
  const moving = await page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => {
    const style = getComputedStyle(element);
    return style.scrollBehavior !== 'auto' || style.animationName !== 'none' || !/^0s(, 0s)*$/.test(style.transitionDuration);
  }).length);
  assert.equal(moving, 0);
}));
