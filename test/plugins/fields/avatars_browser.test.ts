import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, themes, visit } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";

const reason = await reasonToSkip("browser");
const migration = "db/migrate/20260101000000_create_tables.ts";
const stamps = { created_at: "2026-03-01 10:00:00", updated_at: "2026-03-01 10:00:00" };
const posts = "/admin/blogging/posts";
const names: readonly (readonly [name: string, initials: string])[] = [
  ["Ada", "A"],
  ["ada king lovelace", "AL"],
  ["ada.king@example.com", "AK"],
  ["ada+news@example.com", "A"],
  ["Éloïse Straße", "ÉS"],
  ["e\u0301mile zola", "E\u0301Z"],
  ["ßeta", "ß"],
  ["山田 太郎", "山"],
  ["محمد علي", "م"],
  ["👩‍👩‍👧 Ada", "A"],
  ["👩‍👩‍👧", "👩‍👩‍👧"],
  ['(Ada) "B" & <i>', "AI"],
  ["Admin 12", "A"],
  ["12", "1"],
];
const files = {
  [migration]: edited(shopFiles, migration, [
    't.string("name").notNull();',
    't.string("name").notNull(); t.string("account_status");',
  ]),
};

describe("People by their initials", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  before(async () => {
    app = await openShop(files);
    const { knex } = databaseOf(app.application);
    for (const [at, [name]] of names.entries()) {
      await knex("authors").insert({ id: at + 1, name, ...stamps });
      await knex("blogging_posts").insert({ id: at + 1, title: `Post ${at + 1}`, author_id: at + 1, ...stamps });
    }
    if (reason === undefined) browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await app.close();
  });

  for (const [at, [name, initials]] of names.entries())
    it(`${name} has ${initials}, before the name and not read out`, async () => {
      const html = await new Client(app.url).page(`${posts}/${at + 1}`);
      const drawn = [...html.matchAll(/<i class="fw-p([0-5])" data-i="([^"]*)" aria-hidden="true"><\/i>/g)];
      assert.ok(drawn.length > 0);
      for (const [, , found] of drawn) assert.is(found, initials);
      assert.is(new Set(drawn.map(([, tone]) => tone)).size, 1, "the same colour everywhere");
    });
  it("They are in lists, at less than 70 bytes a row", async () => {
    const html = await new Client(app.url).page(posts);
    const drawn = html.match(/<i class="fw-p[^>]*><\/i>/g)!;
    assert.is(drawn.length, names.length);
    assert.ok(drawn.every((one) => Buffer.byteLength(one) < 70));
  });
  for (const theme of themes)
    it.unless(reason, `All colours have a contrast of 4.5 and more, ${theme}`, async () => {
      const { context, page, problems } = await visit(browser, app.url, { theme });
      await page.goto(posts);
      const ratios = (await page.evaluate(measureContrasts)) as number[];
      assert.is(ratios.length, 6);
      for (const ratio of ratios) assert.ok(ratio >= 4.5, `${ratios}`);
      assert.equal(problems, []);
      await context.close();
    });
});

describe("Records of a model that nobody signs in as", (it) => {
  it("Have no initials", async () => {
    const plain = await openShop();
    try {
      const { knex } = databaseOf(plain.application);
      await knex("authors").insert({ id: 1, name: "Ada", ...stamps });
      await knex("blogging_posts").insert({ id: 1, title: "One", author_id: 1, ...stamps });
      assert.not.match(await new Client(plain.url).page(`${posts}/1`), '<i class="fw-p');
    } finally {
      await plain.close();
    }
  });
});

/** The contrasts of the six colours, as the page draws them. */
const measureContrasts = `(() => {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const light = (color) => {
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((one) => one / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [0, 1, 2, 3, 4, 5].map((tone) => {
    const one = document.createElement("i");
    one.className = "fw-p" + tone;
    one.dataset.i = "A";
    document.body.append(one);
    const { color, backgroundColor } = getComputedStyle(one);
    const [high, low] = [light(color), light(backgroundColor)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  });
})()`;
