import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const reason = await reasonToSkip("browser");
const path = "/customer/1/shipments/1001";
const headers = { "x-user": "1" };

describe("Times in a browser in Berlin", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const sentAt = async () => {
    const answer = await app.request(`${path}.json`, { headers });
    return ((await answer.json()) as { data: { sent_at: string } }).data.sent_at;
  };
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(wideFiles, {});
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      browser = await openBrowser();
    });
    before.each(async () => {
      const { knex } = databaseOf(app.application);
      await knex("shipments").where({ id: 1001 }).update({ sent_at: "2026-07-01 12:00:00.000" });
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const shown = `[...document.querySelectorAll("time")].find((one) => one.dateTime.startsWith("2026-07-01")).outerHTML`;

  it.unless(
    reason,
    "The first page, the next one and the form have one time, and what is typed is read as it",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(path);
      const first = '<time datetime="2026-07-01T12:00:00.000Z" title="1 Jul 2026, 12:00 UTC">1 Jul 2026, 14:00</time>';
      assert.is(await page.evaluate(shown), first);
      const cookies = await context.cookies();
      assert.is(cookies.find(({ name }) => name === "fw_zone")?.value, "Europe/Berlin");
      await page.goto(path);
      assert.is(
        await page.evaluate(shown),
        '<time datetime="2026-07-01T12:00:00.000Z" title="UTC+2">1 Jul 2026, 14:00</time>',
      );
      await page.goto(`${path}/edit`);
      const input = page.getByLabel("Sent at");
      assert.is(await input.inputValue(), "2026-07-01T14:00");
      assert.match(await page.locator("#shipment_sent_at_zone").innerText(), "Berlin time (UTC+2)");
      await input.scrollIntoViewIfNeeded();
      await picture(page, "time-zone-form");
      await input.fill("2026-07-01T15:30");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await arrive(page, /shipments\/1001$/);
      assert.match(String(await page.evaluate(shown)), "1 Jul 2026, 15:30");
      assert.is(await sentAt(), "2026-07-01T13:30:00.000Z");
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "A form that is the first page of a visit is read as it was drawn", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    await page.goto(`${path}/edit`);
    assert.is(await page.getByLabel("Sent at").inputValue(), "2026-07-01T12:00");
    assert.match(await page.locator("#shipment_sent_at_zone").innerText(), "Times are in UTC.");
    await page.getByLabel("Sent at").fill("2026-07-01T13:00");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await arrive(page, /shipments\/1001$/);
    assert.is(await sentAt(), "2026-07-01T13:00:00.000Z");
    assert.match(String(await page.evaluate(shown)), "1 Jul 2026, 15:00");
    await context.close();
  });

  it.unless(reason, "Without JavaScript pages and forms are in UTC, and say so", async () => {
    const { context, page } = await visit(browser, app.url, { headers, script: false });
    await page.goto(path);
    assert.match(await page.locator("time[datetime^='2026-07-01']").first().innerText(), "1 Jul 2026, 12:00 UTC");
    await page.goto(`${path}/edit`);
    assert.is(await page.getByLabel("Sent at").inputValue(), "2026-07-01T12:00");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await arrive(page, /shipments\/1001$/);
    assert.is(await sentAt(), "2026-07-01T12:00:00.000Z");
    await context.close();
  });
});
