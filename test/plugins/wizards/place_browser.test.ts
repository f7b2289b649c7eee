import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFitInThemes } from "../../system/looks.ts";
import { openWizards, portalRoutes, wizardFile, wizardFiles } from "./mounts_support.ts";

const reason = await reasonToSkip("browser");
const wizard = (name: string) =>
  wizardFile(
    name,
    `presents: { label: "Set up", description: "In two steps" }, oneTime: true, concurrencyKey: (run) => run.currentUser,
     completed: { title: "You are set up", text: "Everything is in its place." }`,
  );
const FIRST_USER = 11;
const places = { setup: "/admin/setup", welcome: "/admin/welcome" };
const definition = "app/definitions/post_definition.ts";
const configure = "app/wizards/configure_wizard.ts";
const files = {
  [configure]: edited(wizardFiles, configure, ['.text("body")', '.string("body")']),
  [definition]: edited(wizardFiles, definition, ["ConfigureWizard);", 'ConfigureWizard, { open: "dialog" });']),
  "app/wizards/set_up_wizard.ts": wizard("SetUpWizard"),
  "app/wizards/welcome_wizard.ts": wizard("WelcomeWizard"),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(SetUpWizard, { at: "setup" }); routes.registerWizard(WelcomeWizard, { at: "welcome", layout: "basic" });`,
    `import SetUpWizard from "#app/wizards/set_up_wizard.ts"; import WelcomeWizard from "#app/wizards/welcome_wizard.ts";`,
  ),
};

interface Place {
  left: number;
  width: number;
}
/** Where the panel of a page stands. */
const placeOf = async (page: Page): Promise<Place> => {
  const { x, width } = (await page.locator(".fw-wizard .fw-panel").boundingBox())!;
  return { left: Math.round(x), width: Math.round(width) };
};
/** Where the text of the first element that a selector finds begins. */
const textStart = (page: Page, selector: string) =>
  page.evaluate(`{
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(${JSON.stringify(selector)}));
    Math.round(range.getBoundingClientRect().left);
  }`);

describe("Where the pages of a wizard stand", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openWizards(files);
      const people = Array.from({ length: 4 }, (_, at) => ({ id: FIRST_USER + at, name: `Person ${at}` }));
      await databaseOf(app.application).knex("users").insert(people);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  let user = FIRST_USER;
  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    it.unless(
      reason,
      `The completed page stands where the steps stood, in a portal and outside, ${width}`,
      async () => {
        const headers = { "x-user": String(user++) };
        const { context, page, problems } = await visit(browser, app.url, { width, headers });
        for (const [name, path] of Object.entries(places)) {
          await page.goto(path);
          const first = await placeOf(page);
          if (width === "wide")
            // on a phone the buttons fill the line
            assert.is(await textStart(page, "[value=cancel]"), await textStart(page, ".fw-wizard label"), name);
          await page.getByLabel("Title").fill("Acme");
          await page.getByRole("button", { name: "Next", exact: true }).click();
          await arrive(page, /second$/);
          assert.equal(await placeOf(page), first, name);
          await page.getByRole("button", { name: "Finish", exact: true }).click();
          await arrive(page, /completed$/);
          await page.getByRole("heading", { name: "You are set up" }).waitFor();
          assert.equal(await placeOf(page), first, name);
          await assertFitInThemes(page, `completed-${name}-${width}`);
        }
        assert.equal(problems, []);
        await context.close();
      },
    );

  it.unless(reason, "A dialog keeps its height and its place from step to step", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers: { "x-user": "11" } });
    await page.goto("/admin/posts/1");
    await page.getByRole("link", { name: "Configure" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Acme");
    const first = await dialog.boundingBox();
    await dialog.getByRole("button", { name: "Next", exact: true }).click();
    await dialog.getByLabel("Note").waitFor();
    assert.equal(await dialog.boundingBox(), first);
    assert.equal(problems, []);
    await context.close();
  });
});
