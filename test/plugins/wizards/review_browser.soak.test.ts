import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, themes, visit, widths } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { arrive, assertFit, assertNarrow } from "../../system/looks.ts";
import { openWizards, portalRoutes, wizardFile, wizardFiles } from "./mounts_support.ts";

const reason = await reasonToSkip("browser");
const steps = `.step("company", { label: "Company", description: "Who you are" }, (f) => f.string("name", { presence: true }).select("plan", ["free", "paid"]))
  .step("billing", { label: "Billing", condition: ({ data }) => data.company?.plan === "paid" }, (f) => f.string("vat_number", { presence: true }))
  .step("people", { label: "People" }, (f) => f.string("city").string("contact"))
  .review({ label: "Review", description: "Check before you finish.", content: ({ data }) => html\`<p>You pay <strong>\${data.company?.plan === "paid" ? "€ 20" : "nothing"}</strong> a month.</p><ul><li>Cancel at any time</li><li>For \${data.company?.name}</li></ul>\` })`;
const definition = "app/definitions/post_definition.ts";
const files = {
  "app/wizards/set_up_wizard.ts": wizardFile(
    "SetUpWizard",
    `presents: { label: "Set up", description: "In a few steps" }, concurrencyKey: (run) => run.currentUser`,
    { steps, imports: `import { html } from "framewright";` },
  ),
  [definition]: edited(
    wizardFiles,
    definition,
    ["import type {} from", 'import { html } from "framewright"; import { openRuns } from'],
    [
      "super.configure();",
      `super.configure();
    this.section("unfinished", { async content({ controller, record }) {
      const [run] = await openRuns(controller, { wizard: ConfigureWizard, anchor: record });
      return run && html\`<form class="fw-panel-padded fw-actions" method="post" action="\${run.cancelUrl}">\${run.cancelInputs}<a class="btn" href="\${run.url}">Continue: \${run.step}</a><button class="btn btn-ghost-danger">Discard</button></form>\`;
    } });`,
    ],
  ),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(SetUpWizard, { at: "setup" });`,
    `import SetUpWizard from "#app/wizards/set_up_wizard.ts";`,
  ),
};
const save = "Save and review";

describe("A wizard's review in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openWizards(files);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  for (const script of [true, false])
    for (const width of Object.keys(widths) as (keyof typeof widths)[])
      for (const theme of themes) {
        const how = `${script ? "with" : "without"} scripts, ${width}, ${theme}`;
        it.unless(reason, `An answer is changed and the review shown again, ${how}`, async () => {
          const { context, page, problems } = await visit(browser, app.url, {
            script,
            width,
            theme,
            headers: { "x-user": "1" },
          });
          const fits = (name: string) =>
            (script ? assertFit : assertNarrow)(page, `${name}-${width}-${theme}${script ? "" : "-plain"}`);
          const press = async (name: string, address: RegExp) => {
            await page.getByRole("button", { name, exact: true }).click();
            await arrive(page, address);
          };
          await page.goto("/admin/setup");
          await page.getByLabel("Name").fill("Acme <b>AG</b>");
          await page.getByLabel("Plan").selectOption("free");
          await press("Next", /people$/);
          assert.is(await page.getByRole("button", { name: save }).count(), 0);
          await press("Next", /review$/);
          await page.getByText("You pay nothing a month.").waitFor();
          await page.getByText("For Acme <b>AG</b>").waitFor();
          await fits("review");
          await page.getByRole("link", { name: "Change: Company" }).click();
          await arrive(page, /company$/);
          await fits("step");
          await page.getByLabel("Name").fill("");
          await press(save, /company$/);
          await page.locator(".fw-error-summary").waitFor();
          await fits("step-invalid");
          await page.getByLabel("Name").fill("Acme AG");
          await page.getByLabel("Plan").selectOption("paid");
          await press(save, /billing$/);
          await page.getByText("Complete “Billing” to return to the review.").waitFor();
          await fits("step-missing");
          await page.getByLabel("Vat number").fill("CHE-1");
          await press(save, /review$/);
          await page.getByText("You pay € 20 a month.").waitFor();
          await page.goto("/admin/setup/runs");
          await fits("runs");
          await page.getByRole("button", { name: "Cancel" }).click();
          if (script) {
            await fits("runs-confirm");
            await page.getByRole("button", { name: "Discard" }).click();
          }
          await arrive(page, /\/admin$/);
          await page.goto("/admin/setup/runs");
          await page.getByText("Nothing in progress").waitFor();
          assert.equal(problems, []);
          await context.close();
        });
      }
  it.unless(
    reason,
    "A record's page offers to continue or discard its run, and is shown again without it",
    async () => {
      for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
        const { context, page, problems } = await visit(browser, app.url, { width, headers: { "x-user": "2" } });
        await page.goto("/admin/posts/1/wizards/configure");
        await page.getByLabel("Title").fill("x");
        await page.getByRole("button", { name: "Next", exact: true }).click();
        await arrive(page, /second$/);
        await page.goto("/admin/posts/1");
        await page.getByRole("link", { name: "Continue: Second" }).waitFor();
        await assertFit(page, `record-${width}`);
        await page.getByRole("region", { name: "Unfinished" }).getByRole("button", { name: "Discard" }).click();
        await page.getByText("Your answers were discarded").waitFor();
        await arrive(page, /posts\/1$/);
        assert.is(await page.getByRole("link", { name: "Continue: Second" }).count(), 0);
        assert.equal(problems, []);
        await context.close();
      }
    },
  );
});
