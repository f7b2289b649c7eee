import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { remarkFiles } from "./polymorphic_app.ts";

const reason = await reasonToSkip("browser");

describe("A record of one of several models in Chromium", (it) => {
  it.unless(reason, "It is searched in a group for each model, with scripts and the keyboard alone", async () => {
    const app = await openTenants(remarkFiles());
    const { knex } = databaseOf(app.application);
    const many = Array.from({ length: 120 }, (_, at) => ({ title: `Note number ${at}`, post_id: 1 }));
    await knex("notes").insert(many);
    const browser = await openBrowser();
    const { page, problems } = await visit(browser, app.url, { headers: { "x-user": "1" } });
    await page.goto("/customer/1/remarks/new");
    await page.getByLabel("Text").fill("typed");
    await page.keyboard.press("Tab");
    await page.keyboard.type("number 119");
    const found = page.locator(".ts-dropdown .option");
    await found.nth(2).waitFor({ state: "detached" }); // the posts' own search finds everything
    assert.equal(await found.allTextContents(), ["Post Alpine", "Note number 119"]);
    assert.equal(await page.locator(".ts-dropdown .optgroup-header").allTextContents(), ["Posts", "Notes"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "Note number 119" }).waitFor();
    const { subject_type } = await knex("remarks").first();
    assert.is(subject_type, "Note");
    assert.equal(problems, []);
    await browser.close();
    await app.close();
  });
});
