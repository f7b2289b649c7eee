import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { ann, bytesOf, list, openAttachments, sendForm, serviceOf, upload } from "./attachments_app.ts";

const reason = await reasonToSkip("browser");
const png = (name: string) => ({ name, mimeType: "image/png", buffer: bytesOf("red.png") });

describe("Files of a record in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openAttachments();
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const open = (more: Parameters<typeof visit>[2] = {}) => visit(browser, app.url, { headers: ann, ...more });
  /** A shipment with photos of these names. */
  const withPhotos = async (...names: string[]): Promise<string> => {
    const photos = names.map((name) => ["shipment[photos][new][]", upload(bytesOf("red.png"), name)] as const);
    const fields = [["shipment[reference]", "S"], ...photos] as const;
    const answer = await sendForm(app.client(), { page: `${list}/new`, headers: ann }, fields);
    await serviceOf(app).drain();
    return answer.headers.get("location")!;
  };
  const shown = (page: Page) => page.locator(".fw-file-name").allTextContents();
  const photos = (page: Page) => page.locator('input[name="shipment[photos][new][]"]');
  const row = (page: Page, name: string) => page.locator(".fw-upload-file", { hasText: name });

  for (const script of [true, false])
    it.unless(
      reason,
      `Files are added, described and removed alone, ${script ? "with" : "without"} scripts`,
      async () => {
        const path = await withPhotos("one.png", "two.png");
        const { context, page, problems } = await open({ script });
        await page.goto(`${path}/edit`);
        await photos(page).setInputFiles([png("three.png"), png("four.png")]);
        if (script) await page.locator(".fw-upload-chosen", { hasText: "three.png (4 KB)" }).waitFor();
        await row(page, "one.png").getByLabel("Description").fill("The first");
        await row(page, "two.png").getByLabel("Remove two.png").check();
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("The first").waitFor();
        assert.equal(await shown(page), ["one.png", "three.png", "four.png"]);
        assert.equal(problems, []);
        await context.close();
      },
    );
  it.unless(reason, "Files are put in order, described and removed by keyboard alone", async () => {
    const path = await withPhotos("one.png", "two.png", "three.png");
    const { context, page, problems } = await open();
    await page.goto(`${path}/edit`);
    const focused = (what: string) => page.evaluate(`document.activeElement.getAttribute(${JSON.stringify(what)})`);
    await page.getByRole("button", { name: "Move three.png up" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.is(await focused("aria-label"), "Move three.png up");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("The third");
    await page.getByLabel("Remove one.png").focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Save", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("The third").waitFor();
    assert.equal(await shown(page), ["three.png", "two.png"]);
    assert.equal(problems, []);
    await context.close();
  });
  it.unless(
    reason,
    "An upright picture is shown in its own proportions, and no larger than its thumbnail",
    async () => {
      const picture = { create: { width: 200, height: 800, channels: 3, background: "#ff0000" } } as const;
      const answer = await sendForm(app.client(), { page: `${list}/new`, headers: ann }, [
        ["shipment[reference]", "U"],
        ["shipment[photos][new][]", upload(await sharp(picture).png().toBuffer(), "upright.png")],
      ]);
      await serviceOf(app).drain();
      const { context, page } = await open();
      await page.goto(answer.headers.get("location")!);
      const shown = page.locator("img.fw-file-large");
      await shown.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
      const { width, height } = (await shown.boundingBox())!;
      assert.equal([Math.round(width), Math.round(height)], [60, 240]);
      await context.close();
    },
  );
  it.unless(reason, "More files than a record may have are named before they are sent", async () => {
    const { context, page } = await open();
    await page.goto(`${list}/new`);
    await photos(page).setInputFiles(Array.from({ length: 6 }, (_, index) => png(`${index}.png`)));
    await page.getByText("Too many: at most 5 files").waitFor();
    await photos(page).setInputFiles([png("one.png")]);
    await page.getByText("Too many").waitFor({ state: "detached" });
    await context.close();
  });
  it.unless(reason, "They are put in order by keyboard, by dragging, and without scripts by numbers", async () => {
    const path = await withPhotos("one.png", "two.png", "three.png");
    const { context, page, problems } = await open();
    await page.goto(`${path}/edit`);
    await page.getByRole("button", { name: "Move three.png up" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.equal(
      await page
        .locator(".fw-uploads .fw-upload-name")
        .allTextContents()
        .then((texts) => texts.map((text) => text.split(" ")[0])),
      ["three.png", "one.png", "two.png"],
    );
    await row(page, "two.png").dragTo(row(page, "three.png"), {
      sourcePosition: { x: 5, y: 5 },
      targetPosition: { x: 5, y: 2 },
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".fw-file-name").first().waitFor();
    assert.equal(await shown(page), ["two.png", "three.png", "one.png"]);
    assert.equal(problems, []);
    await context.close();
    const plain = await open({ script: false });
    await plain.page.goto(`${path}/edit`);
    await row(plain.page, "one.png").getByLabel("Position").fill("1");
    await row(plain.page, "two.png").getByLabel("Position").fill("3");
    await plain.page.getByRole("button", { name: "Save" }).click();
    assert.equal(await shown(plain.page), ["one.png", "three.png", "two.png"]);
    await plain.context.close();
  });
  it.unless(reason, "Files are dropped on their field, and a bar shows how far a large one is", async () => {
    const path = await withPhotos("one.png");
    const { context, page, problems } = await open();
    await page.goto(`${path}/edit`);
    const dataTransfer = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array([${[...bytesOf("red.png")]}])], "dropped.png", { type: "image/png" }));
      return data;
    })()`);
    await page.locator("[data-drop]").nth(1).dispatchEvent("drop", { dataTransfer });
    await page.locator(".fw-upload-chosen", { hasText: "dropped.png" }).waitFor();
    let isShown = false;
    await page.route(`**${path}`, async (route) => {
      isShown = await page.locator("progress:visible").first().isVisible();
      await route.continue();
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".fw-file-name", { hasText: "dropped.png" }).waitFor();
    assert.is(isShown, true);
    assert.is(new URL(page.url()).pathname, path);
    assert.equal(await shown(page), ["one.png", "dropped.png"]);
    assert.equal(problems, []);
    await context.close();
  });
  it.unless(reason, "What a refused form brought is kept, and is sent with the next try", async () => {
    const { context, page, problems } = await open();
    await page.goto(`${list}/new`);
    await photos(page).setInputFiles(png("kept.png"));
    await page.getByLabel("Reference").fill("K");
    await page.getByLabel("Weight").fill("99999999999999");
    await page.getByRole("button", { name: "Create" }).first().click();
    await page.locator(".fw-error-summary").waitFor();
    await row(page, "kept.png").waitFor();
    await page.getByLabel("Weight").fill("7");
    await page.getByRole("button", { name: "Create" }).first().click();
    await page.locator(".fw-file-name", { hasText: "kept.png" }).waitFor();
    assert.equal(problems, []);
    await context.close();
  });
  it.unless(reason, "Form, page and list fit both widths in both themes, and axe finds nothing", async () => {
    const path = await withPhotos("a long name of a photo from the camera of a phone.png", "two.png");
    for (const width of Object.keys(widths) as (keyof typeof widths)[])
      for (const [name, at] of [
        ["form", `${path}/edit`],
        ["page", path],
        ["list", `${list}?columns=reference,photos,cover`],
      ] as const) {
        const { context, page, problems } = await open({ width });
        await page.goto(at);
        await page.locator(".fw-file-small, .fw-file-large").first().waitFor();
        await assertFitInThemes(page, `attachments-${name}-${width}`);
        assert.equal(problems, []);
        await context.close();
      }
  });
});
