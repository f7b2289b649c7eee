import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, themes, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFit, assertNarrow } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/shipments";
const headers = { "x-user": "1" };

describe("The page of the shortcuts", (it) => {
  it("It lists them for people who are signed in, as a page, for the dialog and as JSON; guests have neither page nor link", async () => {
    const app = await openTenants(wideFiles);
    try {
      const ask = (path: string, more: Record<string, string>) =>
        app.request(path, { headers: { accept: "text/html", ...more } });
      const page = await (await ask("/customer/1/_keys", headers)).text();
      assert.match(page, "<h1>Keyboard shortcuts</h1>");
      assert.match(page, '<div data-key="find"><dt><kbd>/</kbd></dt><dd>Search this list</dd></div>');
      assert.match(
        page,
        /<a class="fw-dropdown-item fw-keys-link" href="\/customer\/1\/_keys" data-keys="\/assets\/keys-[\w-]{12}\.js">/,
      );
      const framed = await (await ask("/customer/1/_keys", { ...headers, "turbo-frame": "fw-keys" })).text();
      assert.match(framed, /^<turbo-frame id="fw-keys"><div class="fw-narrow fw-keys">/);
      const { data } = (await (await ask("/customer/1/_keys.json", headers)).json()) as { data: { name: string }[] };
      assert.ok(data.some(({ name }) => name === "new"));
      assert.is((await ask("/customer/2/_keys", headers)).status, 404, "of a foreign tenant");
      assert.is((await ask("/guest/1/_keys", {})).status, 404);
      assert.not.match(await (await ask("/guest/1/posts", {})).text(), "_keys");
    } finally {
      await app.close();
    }
  });
});

describe("Shortcuts of the keyboard, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(wideFiles, {});
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const inPage = async (story: (page: Page) => Promise<void>) => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    await story(page);
    assert.equal(problems, []);
    await context.close();
  };
  const focused = (page: Page) => page.evaluate("document.activeElement?.textContent?.trim()");
  const settle = (page: Page) => page.locator("script[src*='/keys-']").waitFor({ state: "attached" });

  it.unless(
    reason,
    "Rows are gone through by j and k, and opened by Enter; e edits, n makes a new one, g and a letter goes to a page",
    () =>
      inPage(async (page) => {
        await page.keyboard.press("j");
        await settle(page);
        const rows = page.locator("main tbody .fw-row-link");
        const [first, second] = [await rows.nth(0).innerText(), await rows.nth(1).innerText()];
        await page.locator("main .fw-row-link:focus").waitFor();
        assert.is(await focused(page), first, "the key that loads the script counts");
        await page.keyboard.press("j");
        assert.is(await focused(page), second);
        await page.keyboard.press("k");
        await page.keyboard.press("k");
        assert.is(await focused(page), first, "it ends at the first row");
        await page.keyboard.press("Enter");
        await arrive(page, /shipments\/\d+\?_list$/);
        await page.keyboard.press("e");
        await arrive(page, /shipments\/\d+\/edit\?return_to=/);
        await page.locator("h1").click();
        await page.keyboard.press("g");
        await page.keyboard.press("p");
        await arrive(page, /customer\/1\/posts$/);
        await page.keyboard.press("n");
        await arrive(page, /posts\/new$/);
      }),
  );

  it.unless(reason, "None of them works while somebody types, with a modifier, or under a dialog", () =>
    inPage(async (page) => {
      await page.keyboard.press("/");
      await settle(page);
      const search = page.locator("main .fw-search input");
      await page.locator("main .fw-search input:focus").waitFor();
      await page.keyboard.type("jn?/ge");
      assert.is(await search.inputValue(), "jn?/ge");
      assert.is(await page.locator("dialog[open]").count(), 0);
      await page.locator("h1").click();
      await page.keyboard.press("Alt+n");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await page.keyboard.press("n");
      await page.keyboard.press("Escape");
      await page.locator("dialog[open]").waitFor({ state: "detached" });
      assert.match(page.url(), /shipments(\?|$)/);
    }),
  );

  it.unless(reason, "The list has what the page has, and switches all of them off, in this browser", () =>
    inPage(async (page) => {
      const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await page.keyboard.press("?");
      await dialog.waitFor();
      for (const text of ["Search this list", "New record", "Next row", "Go to a page"])
        await dialog.getByText(text).waitFor();
      assert.is(await dialog.getByText("Edit this record").count(), 0);
      const box = dialog.getByRole("switch", { name: "Shortcuts of a single key" });
      assert.ok(await box.isChecked());
      await box.focus();
      await page.keyboard.press("Space");
      await page.keyboard.press("Escape");
      for (const key of ["?", "n", "j", "/"]) await page.keyboard.press(key);
      assert.is(await page.locator("dialog[open]").count(), 0);
      assert.match(page.url(), /shipments$/);
      await page.reload();
      await page.keyboard.press("?");
      await settle(page);
      await page.locator(".fw-user").click();
      await page.getByRole("link", { name: "Keyboard shortcuts" }).click();
      await dialog.waitFor();
      assert.not.ok(await box.isChecked(), "and it is found in the menu, to switch them on");
      await box.check();
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await dialog.waitFor();
    }),
  );

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    for (const theme of themes)
      it.unless(
        reason,
        `The list of them is accessible on a ${width} ${theme} page, and a page without JavaScript`,
        async () => {
          const { context, page, problems } = await visit(browser, app.url, { headers, width, theme });
          await page.goto(list);
          await page.locator(".fw-user").click();
          await page.getByRole("link", { name: "Keyboard shortcuts" }).click();
          await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
          await assertFit(page, `keys-${width}-${theme}`);
          await picture(page, `keys-${width}-${theme}`);
          assert.equal(problems, []);
          await context.close();
          const plain = await visit(browser, app.url, { headers, width, theme, script: false });
          await plain.page.goto("/customer/1/_keys");
          await assertNarrow(plain.page, `keys-page-${width}-${theme}`);
          await plain.context.close();
        },
      );
});
