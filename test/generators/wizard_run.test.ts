import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { ensureBuilt, fwOk, newApp, runCommand } from "./support.ts";

// By commands alone, from an empty folder to a wizard that was gone through to its end.
describe("A generated wizard", (it) => {
  let app = "";
  const g = (...words: string[]) => fwOk(app, "g", ...words);

  it("Generated wizards type-check, whether anonymous, in a portal or anchored to a resource", async () => {
    await ensureBuilt();
    app = await newApp();
    await g("fw:res:scaffold", "Company", "name");
    await g("fw:pkg:portal", "partner", "--byo");
    await g("fw:wizards:install");
    await fwOk(app, "db:migrate");
    await g("fw:res:conn", "Company", "--dest=partner_portal");
    await g("fw:wizard", "Signup", "--steps=account:name:city,extra", "--anonymous");
    await g("fw:wizard", "Import", "--steps=upload", "--dest=partner");
    await g("fw:wizard", "Configure", "--steps=basics", "--anchored=Company", "--dest=partner");
    await fwOk(app, "types");
    const tsc = [join(app, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"];
    const { code, out } = await runCommand(process.execPath, tsc, app);
    assert.is(code, 0, out);
  });

  it("Generated wizards run to their end, anonymously and on the record that the URL names", async () => {
    const { child, url } = await serveApp(app, { NODE_ENV: "development", PARTNER_API_KEY: key });
    try {
      const visitor = new Client(url);
      const launched = await visitor.request("/signup");
      assert.is(launched.headers.get("location"), "/signup/account");
      const empty = await visitor.submit("/signup/account", { "wizard[city]": "Bern" });
      assert.is(empty.status, 422);
      const next = await visitor.submit("/signup/account", { "wizard[name]": "Ada", "wizard[city]": "Bern" });
      assert.is(next.headers.get("location"), "/signup/extra");
      await visitor.submit("/signup/extra", { "wizard[name]": "More" });
      assert.match(await visitor.page("/signup/review"), "<dd>Bern</dd>");
      const done = await visitor.submit("/signup/review", {});
      assert.is(done.headers.get("location"), "/signup/completed");
      assert.match(await visitor.page("/signup/completed"), "Signup: done.");
      await configure(partner(url));
    } finally {
      child.kill("SIGTERM");
      assert.is(await exitOf(child), 0);
    }
  });
});

const key = "k".repeat(40);
/** Somebody whom the portal knows by the key. */
function partner(url: string): Client {
  const client = new Client(url);
  const request = client.request.bind(client);
  client.request = (path, init = {}) =>
    request(path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), "x-api-key": key } });
  return client;
}

async function configure(visitor: Client): Promise<void> {
  await visitor.submit("/partner/companies/new", { "company[name]": "Acme" });
  const base = "/partner/companies/1/wizards/configure";
  assert.match(await visitor.page("/partner/companies/1"), base);
  assert.is((await visitor.request(base)).headers.get("location"), `${base}/basics`);
  const review = await visitor.submit(`${base}/basics`, { "wizard[name]": "Ada" });
  assert.is(review.headers.get("location"), `${base}/review`);
  assert.is((await visitor.submit(`${base}/review`, {})).status, 303);
  assert.is((await visitor.request("/partner/companies/9/wizards/configure")).status, 404);
}
