import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { migrateRuns, requests, runsFiles } from "./runs_app.ts";

describe("The token of a wizard's run", (it) => {
  it("A run's token appears in no line of the log, wherever in a URL it was sent", async () => {
    const values = {
      NODE_ENV: "production",
      ALLOWED_HOSTS: "127.0.0.1",
      SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
      DATABASE_URL: `sqlite:${join(mkdtempSync(join(tmpdir(), "fw-")), "test.sqlite3")}`,
    };
    const wizard = edited(runsFiles, "app/wizards/import_wizard.ts", [
      "async execute() {",
      `async execute() { if (this.data.source.url === "broken") throw new Error("out of order");`,
    ]);
    const root = writeApp({ ...runsFiles, "app/wizards/import_wizard.ts": wizard });
    await migrateRuns(root, values);
    const { child, url, output } = await serveApp(root, values);
    const { as, send } = requests(url);
    try {
      const tokens: string[] = [];
      for (const address of ["broken", "fine"]) {
        const first = (await as(1, "GET", "/office/import")).headers.get("location")!;
        const token = first.split("/").at(-2)!;
        tokens.push(token);
        const base = `/office/import/${token}`;
        await send(1, first, { url: "" });
        await send(1, first, { url: address });
        await as(1, "PUT", `${base}/options`, { wizard: { all: "1" } });
        for (const method of ["GET", "POST", "DELETE"])
          for (const path of [base, `${base}.json`, `${base}/`, `${base}/nothing`, `${base}/a/b`, `${base}/first.json`])
            await as(1, method, path, method === "GET" ? undefined : {});
        await as(2, "GET", first);
        await as(1, "GET", first.replace("import", "order"));
        await as(1, "GET", `/signup/${token}/you`);
        await as(1, "GET", `/${token}`);
        await fetch(`${url}/office/import?return_to=${first}`, { headers: { "x-user": "1", referer: url + first } });
        await fetch(url + first.replace("/import/", "/%69mport/"), { headers: { "x-user": "1" } });
        await send(1, `${base}/options`, {});
        const page = await fetch(`${url}${base}/completed`, { headers: { "x-user": "1" } });
        assert.match(page.headers.get("referrer-policy") ?? "", /^(strict-origin-when-cross-origin|same-origin)$/);
      }
      child.kill("SIGTERM");
      await exitOf(child);
      const log = output();
      assert.match(log, "out of order");
      assert.match(log, /\/office\/import\/\[token\]\/options/);
      for (const token of tokens) {
        assert.ok(token.length > 20);
        const line = log.split("\n").find((one) => one.includes(token));
        assert.is(line, undefined);
      }
    } finally {
      child.kill("SIGKILL");
    }
  });
});
