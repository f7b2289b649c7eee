import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openMarkdown } from "./markdown_app.ts";
import { task } from "./tasks_app.ts";

const reason = await reasonToSkip("browser");
const edit = "/customer/1/tasks/1/edit";
const headers = { "x-user": "1" };

describe("Markdown in forms in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openMarkdown();
      await databaseOf(app.application)
        .knex("tasks")
        .insert([task(1)]);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  it.unless(reason, "Buttons and keys format what is selected, and Ctrl+Z takes it back", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(edit);
    const text = page.locator("#task_note");
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const type = async (value: string) => {
      await text.fill(value);
      await text.press("ControlOrMeta+a");
    };
    const is = async (value: string) => assert.is(await text.inputValue(), value);
    await button("Bold").waitFor();
    await type("word");
    await text.press("Control+b");
    await is("**word**");
    await text.press("Control+i");
    await is("**_word_**");
    await text.press("Control+i");
    await text.press("Control+b");
    await is("word");
    await text.press("Control+z");
    await is("**word**");
    await text.press("Control+z");
    await text.press("Control+z");
    await text.press("Control+z");
    await is("word");
    await type(" word ");
    await button("Bold").click();
    await is(" **word** ");
    await type("one\ntwo");
    await button("List").click();
    await is("- one\n- two");
    await button("List").click();
    await is("one\ntwo");
    await button("Code").click();
    await is("```\none\ntwo\n```\n");
    await text.press("Control+z");
    await is("one\ntwo");
    await type("Plan");
    await button("Heading").click();
    await is("## Plan");
    await type("https://a.test");
    await button("Link").click();
    await page.keyboard.type("A");
    await is("[A](https://a.test)");
    await type("here");
    await button("Link").click();
    await page.keyboard.type("https://b.test");
    await is("[here](https://b.test)");
    await text.fill("");
    await text.press("Control+b");
    await page.keyboard.type("x");
    await is("**x**");
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "A preview stands in the place of the text, and the text is there again", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(edit);
    await page.locator("#task_note").fill("## Plan\n\n**bold**");
    await page.getByRole("button", { name: /^Preview\b.*Note/ }).click();
    await page.locator("#task_note_preview h4", { hasText: "Plan" }).waitFor();
    assert.ok(await page.locator("#task_note").isHidden());
    assert.ok(await page.getByRole("button", { name: "Bold" }).isDisabled());
    await page.getByRole("button", { name: /^Write\b.*Note/ }).click();
    assert.is(await page.evaluate("document.activeElement.id"), "task_note");
    await context.setOffline(true);
    await page.getByRole("button", { name: /^Preview\b.*Note/ }).click();
    await page.getByText("The preview couldn’t be loaded.").waitFor();
    await context.setOffline(false);
    await page.locator(".fw-form-footer .btn-primary").click();
    await page.waitForURL(/tasks\/1$/);
    await page.locator("strong", { hasText: "bold" }).waitFor();
    assert.equal(
      problems.filter((one) => !one.includes("ERR_INTERNET_DISCONNECTED")),
      [],
    );
    await context.close();
  });

  it.unless(
    reason,
    "A cell and a field that comes later have their buttons, and pages without Markdown no script",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto("/customer/1/tasks?columns=title,note");
      assert.equal(
        asked.filter((url) => url.includes("/markdown-")),
        [],
      );
      await page.locator('a[href*="/cells/note"]').first().click();
      await page.locator("turbo-frame .fw-editor-marks:not([hidden])").waitFor();
      await page.locator("turbo-frame textarea").fill("*x*");
      await page
        .locator("turbo-frame")
        .getByRole("button", { name: /^Preview\b.*Note/ })
        .click();
      await page.locator("turbo-frame .fw-editor-preview em").waitFor();
      await page.goto(edit);
      await page.getByLabel("Title").fill("Without");
      await page.getByLabel("Title").blur();
      await page.locator("#task_note").waitFor({ state: "detached" });
      await page.getByLabel("Title").fill("With");
      await page.getByLabel("Title").blur();
      await page.locator(".fw-editor-marks:not([hidden])").waitFor();
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "Without scripts a press on the button leads to the preview", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers, script: false, width: "narrow" });
    await page.goto(edit);
    await page.locator("#task_note").fill("**bold**");
    await page.getByRole("button", { name: /^Preview\b.*Note/ }).click();
    await page.locator("#task_note_preview strong").waitFor();
    assert.ok(await page.locator("#task_note").isVisible());
    assert.is(await page.getByRole("button", { name: "Bold" }).count(), 0);
    assert.equal(problems, []);
    await context.close();
  });

  for (const width of ["wide", "narrow"] as const)
    it.unless(reason, `The form fits at ${widths[width].width} px, light and dark`, async () => {
      const { context, page } = await visit(browser, app.url, { headers, width });
      await page.goto(edit);
      await page.locator(".fw-editor-marks:not([hidden])").waitFor();
      await assertFitInThemes(page, `markdown-${width}`);
      await page.getByRole("button", { name: /^Preview\b.*Note/ }).click();
      await page.locator(".fw-editor-preview p").waitFor();
      await picture(page, `markdown-preview-${width}`);
      await context.close();
    });
});
