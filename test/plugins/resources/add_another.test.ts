import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { arrive } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { wideFiles } from "./wide_app.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/categories";
const headers = { "x-user": "1" };
const create = (fields: Record<string, unknown>) => ({
  method: "POST",
  headers: { ...headers, "content-type": "application/json", accept: "text/html" },
  body: JSON.stringify(fields),
  redirect: "manual" as const,
});

describe("A record, and the next one", (it) => {
  it("The second button opens the form again, which leads back where the first one would have led", async () => {
    const app = await openTenants(wideFiles, {});
    try {
      const form = await (await app.request(`${list}/new`, { headers })).text();
      assert.match(
        form,
        /<button class="btn fw-another" name="_another" value="1">[^<]*<\/button><button class="btn btn-primary">Create<\/button>/,
      );
      assert.match(form, / name="category\[name\]"[^>]* autofocus/);
      const next = await app.request(
        list,
        create({ category: { name: "A" }, _another: "1", return_to: "/customer/1/posts" }),
      );
      assert.is(next.status, 303);
      assert.is(next.headers.get("location"), `${list}/new?return_to=%2Fcustomer%2F1%2Fposts`);
      const plain = await app.request(list, create({ category: { name: "B" } }));
      assert.match(plain.headers.get("location") ?? "", /categories\/\d+$/);
      const foreign = await app.request(
        list,
        create({ category: { name: "C" }, _another: "1", return_to: "//evil.test" }),
      );
      assert.is(foreign.headers.get("location"), `${list}/new`);
      const bad = await app.request(list, create({ category: { name: null }, _another: "1" }));
      const page = await bad.text();
      assert.is(bad.status, 422);
      assert.not.match(page, "autofocus", "the summary of errors has the focus");
      assert.not.match(await (await app.request(`${list}/1/edit`, { headers })).text(), /fw-another|autofocus/);
    } finally {
      await app.close();
    }
  });

  it.unless(
    reason,
    "By keyboard a form is filled, Enter presses Create, and the button opens the next form",
    async () => {
      const app = await openTenants(wideFiles, {});
      const browser = await openBrowser();
      try {
        const { context, page, problems } = await visit(browser, app.url, { headers });
        const field = page.locator('input[name="category[name]"]:focus');
        await page.goto(`${list}/new`);
        await field.waitFor();
        await page.keyboard.type("First");
        await page.getByRole("button", { name: "Save and add another" }).press("Enter");
        await page.getByText("First was created.").waitFor();
        await arrive(page, /categories\/new$/);
        await field.waitFor();
        await page.keyboard.type("Second");
        await page.keyboard.press("Enter");
        await arrive(page, /categories\/\d+$/);
        await page.getByText("Second was created.").waitFor();
        assert.equal(problems, []);
        await context.close();
      } finally {
        await browser.close();
        await app.close();
      }
    },
  );
});
