import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { openBrowser, visit } from "../support/browser.ts";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { exitOf, freePort } from "../support/processes.ts";
import { nginxPath } from "../support/requirements.ts";
import { arrive, words } from "./looks.ts";
import { field, flash, go, onStep, press } from "./stories/wizards/hands.ts";
import { type Demo, startDemo } from "./world.ts";

const reason = (await reasonToSkip("browser")) ?? (await reasonToSkip("nginx"));
const password = "demo-password-2026";
const policy = "packages/admin_portal/app/policies/admin_portal/blogging/category_policy.ts";

/** nginx serves the path alone, as it comes; each other address is 404, and noted. */
function configuration(folder: string, port: number, behind: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `  ${kind}_temp_path ${folder}/temp/${kind};\n`,
  );
  return `${process.getuid?.() === 0 ? "user root;\n" : ""}daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log ${folder}/access.log;
${temporary.join("")}  server {
    listen 127.0.0.1:${port};
    location /back { proxy_pass ${behind}; proxy_http_version 1.1; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme; }
    location / { return 404; }
  }
}
`;
}

describe("The demo below a path, behind nginx", (it, { before, after }) => {
  let folder: string;
  let demo: Demo | undefined;
  let nginx: ChildProcess | undefined;
  let browser: Browser;
  let base: string;
  if (reason === undefined) {
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), "fw-path-"));
      const root = join(folder, "demo");
      await (await startDemo(root)).stop();
      const own = readFileSync(join(root, policy), "utf8");
      writeFileSync(
        join(root, policy),
        own.replace(/(class \w+ extends [^{]+\{)/, "$1\n  override canImport() {\n    return true;\n  }"),
      );
      const port = await freePort();
      base = `http://127.0.0.1:${port}`;
      demo = await startDemo(root, { APP_URL: `${base}/back`, TRUST_PROXY: "1" });
      mkdirSync(join(folder, "temp"));
      writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, demo.url));
      nginx = spawn(nginxPath, ["-c", join(folder, "nginx.conf"), "-p", folder], { stdio: "ignore" });
      for (
        let turn = 0;
        turn < 100 &&
        !(await fetch(`${base}/back`).then(
          () => true,
          () => false,
        ));
        turn++
      )
        await sleep(50);
      browser = await openBrowser();
    });
    after(async () => {
      await browser?.close();
      nginx?.kill("SIGTERM");
      if (nginx) await exitOf(nginx);
      await demo?.stop();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  async function signIn(page: Page, path: string, login: string): Promise<void> {
    await page.goto(path);
    await page.getByLabel("Email").fill(login);
    await page.locator("main form .btn-primary").first().click();
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.locator("main form .btn-primary").first().click();
    await page.waitForURL(({ pathname }) => !pathname.endsWith("/login"));
  }

  it.unless(
    reason,
    "Every flow stays below the path, and finds what it leads to",
    async () => {
      const { context, page, problems } = await visit(browser, base);
      const left: string[] = [];
      const missing: string[] = [];
      page.on("request", (request) => {
        const url = new URL(request.url());
        const isOurs = url.origin !== base || url.pathname === "/back" || url.pathname.startsWith("/back/");
        if (url.protocol.startsWith("http") && (url.origin !== base || !isOurs)) left.push(request.url());
      });
      page.on("response", (response) => {
        if (response.status() >= 404) missing.push(`${response.status()} ${response.url()}`);
      });
      const submit = () => page.locator("main form .btn-primary").first().click();

      await signIn(page, "/back/admin", "admin@demo.test");
      await arrive(page, /\/back\/admin$/);
      await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Posts" }).click();
      await arrive(page, /\/back\/admin\/blogging\/posts$/);
      await page.getByRole("searchbox").fill("cold brew");
      await page.getByRole("searchbox").press("Enter");
      await arrive(page, /q=cold/);
      await page.getByRole("columnheader", { name: "Title" }).getByRole("link").click();
      await arrive(page, /sort=title/);
      await page.locator("main tbody tr a").first().click();
      await arrive(page, /posts\/\d+/);

      await page.goto("/back/admin/blogging/categories");
      await page.getByRole("link", { name: /New category/ }).click();
      await page.getByLabel("Name").fill("Below a path");
      await submit();
      await arrive(page, /\/back\/admin\/blogging\/categories\/\d+$/);
      await page.locator("main").getByRole("link", { name: "Edit" }).click();
      await page.getByLabel("Name").fill("Below another path");
      await submit();
      await arrive(page, /categories\/\d+$/);
      assert.match(await words(page.locator("h1")), "Below another path");
      await page.goto("/back/admin/blogging/categories");
      await page.locator("main tbody tr", { hasText: "Below another path" }).getByRole("checkbox").check();
      await page.locator("form[data-bulk]").getByRole("button", { name: "Delete" }).click();
      await page.locator(".fw-confirmation").getByRole("button", { name: "Delete" }).click();
      await page.getByText("Deleted 1.").waitFor();
      await page.locator(".fw-flash").getByRole("button", { name: "Undo" }).click();
      await page.getByText("Below another path").first().waitFor();

      await page.goto("/back/admin/blogging/categories");
      await page.getByRole("link", { name: "Import" }).click();
      await page
        .getByLabel("CSV, XLSX or ODS file")
        .setInputFiles({ name: "categories.csv", mimeType: "text/csv", buffer: Buffer.from("Name\nImported below\n") });
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByRole("button", { name: /^Import 1 row/ }).click();
      await page.getByText("Imported", { exact: true }).waitFor({ timeout: 20_000 });
      await page.getByRole("link", { name: "Back to the list" }).click();
      await page.getByText("Imported below").first().waitFor();

      await signIn(page, "/back/users/login", "editor@demo.test");
      await page.goto("/back/customer/1/blogging/posts");
      await page.locator("main").getByRole("link", { name: "Import", exact: true }).click();
      await onStep(page, "Source");
      await field(page, "file").setInputFiles({
        name: "titles.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("One\nTwo\n"),
      });
      await go(page, "next", "Defaults");
      await field(page, "status").selectOption("in_review");
      await go(page, "next", "Review");
      await press(page, "next");
      await arrive(page, /\/back\/customer\/1\/blogging\/posts$/);
      assert.is(await flash(page), "2 posts were imported.");
      await page.goto("/back/customer/1");
      await page.locator("main").waitFor();

      await page.goto("/back/admin");
      await page.locator(".fw-user").click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.locator(".fw-flash:visible").waitFor();
      await page.goto("/back/admin");
      await arrive(page, /\/back\/admins\/login/);
      await page.goto("/back/customer/1/blogging/posts");
      await arrive(page, /\/back\/customer\/1\/blogging\/posts$/);

      assert.equal(left, []);
      assert.equal(missing, []);
      assert.equal(problems, []);
      const paths = (await context.cookies()).map(({ name, path }) => `${name} ${path}`);
      assert.ok(paths.length > 0 && paths.every((cookie) => cookie.endsWith(" /back")), paths.join(", "));
      await context.close();
    },
    240_000,
  );
});
