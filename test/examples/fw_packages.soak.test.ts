import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "framewright/kernel";
import { i18n } from "framewright/plugins/i18n";
import { views } from "framewright/plugins/views";
import { sessionsConformance } from "../conformance/sessions.ts";
import { liquid, viewsConformance } from "../conformance/views.ts";
import { fwOk, newApp, typeCheck } from "../generators/support.ts";
import { openApp, writeApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { CAST, install, npmInstall, ofClone, type Published, pack, publish, sourceOf } from "./publish.ts";

// Packages of third parties in one application: sessions as rows, templates of another engine, and one that adds a bit of
// everything, whose hook a fourth one taps.

const config = (text: string) =>
  `import { acme } from "fw-acme";
import { acmeLog } from "fw-acme-log";
import { eta } from "fw-eta";
import { sessionsDb } from "fw-sessions-db";
${text.replace("definePlugins([", "definePlugins([sessionsDb(), eta, acme, acmeLog, ")}`;

const files: Record<string, string> = {
  "app/controllers/hello_controller.ts": `import { BaseController } from "framewright";
export default class HelloController extends BaseController {
  static override guests = "admit" as const;
  show() {
    const visits = Number(this.session.get("visits") ?? 0) + 1;
    this.session.set("visits", visits);
    this.session.set("basket", "x".repeat(20_000));
    return this.render("show", { layout: "basic", locals: { visits, name: "<b>Ann</b>" } });
  }
}
`,
  "app/views/hello/show.eta": "<h1>Hello <%= it.name %></h1><p>Visit <%= it.visits %></p>\n",
  "config/routes.ts": `import { drawRoutes } from "framewright";
export default drawRoutes((routes) => routes.get("hello", { to: "hello#show" }));
`,
  "lib/listener.ts": `import type {} from "fw-acme";
import { definePlugin } from "framewright/kernel";
export const listener = definePlugin({
  name: "listener",
  requires: ["acme"],
  apply({ hooks, tap }) {
    tap(hooks.acme.announced, (text) => void text.trim());
    // @ts-expect-error a text is announced
    tap(hooks.acme.announced, (text: number) => void text);
    // @ts-expect-error only its owner calls a hook
    void hooks.acme.announced.promise("mine");
  },
});
`,
};
const write = (app: string, written: Record<string, string>) => {
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), text);
  }
};

const tested = await databases();

describe("Packages of third parties, packed by their authors and installed by npm", (it, { before, after }) => {
  const packages = new Map<string, Published>();
  let app: string;
  before(async () => {
    const eta = ofClone("eta");
    packages.set("fw-sessions-db", await publish("fw-sessions-db"));
    packages.set("fw-eta", await publish("fw-eta", eta));
    packages.set("fw-acme", await publish("fw-acme"));
    packages.set("fw-acme-log", await publish("fw-acme-log", { "fw-acme": packages.get("fw-acme")!.unpacked }));
    app = await newApp();
    await npmInstall(app, [pack(eta.eta!), ...[...packages.values()].map(({ archive }) => archive)]);
    await fwOk(app, "g", "fw:jobs:install");
    write(app, { ...files, "plugins.config.ts": config(readFileSync(join(app, "plugins.config.ts"), "utf8")) });
    await fwOk(app, "db:migrate");
  });
  const own = ["fw-sessions-db", "fw-eta", "fw-acme", "fw-acme-log"];

  it("Their sources have no cast, and their archives nothing but what they declare", () => {
    for (const name of own) {
      assert.not.match(sourceOf(name), CAST, name);
      const folder = join(app, "node_modules", name);
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { files: string[] };
      const packed = ["README.md", "package.json", ...manifest.files].sort();
      assert.equal(readdirSync(folder).sort(), packed, name);
    }
  });
  it("An application with all of them compiles, and a hook of one is typed for another", async () => {
    const checked = await typeCheck(app);
    assert.is(checked.code, 0, checked.out);
  }, 120_000);
  it("fw-eta does what is asked of every filler of its slot", async () => {
    const plugin = pathToFileURL(join(app, "node_modules/fw-eta/dist/index.js")).href;
    const { eta } = (await import(plugin)) as { eta: Plugin };
    const language = { ...liquid, ending: "eta", print: (local: string) => `<%= it.${local} %>`, broken: "<% if ( %>" };
    for (const { sentence, check } of viewsConformance)
      await check({ plugins: [i18n(), views(), eta], language }).catch((error: Error) => {
        throw new Error(`${sentence}: ${error.message}`);
      });
  });
  it("fw-acme: its command stores a job, the job calls its hook, and fw-acme-log hears of it", async () => {
    const { out, err } = await fwOk(app, "acme:announce", "Sale");
    assert.match(err, "announced: SALE", "the log");
    assert.match(out, "1 job is done");
    const { out: help } = await fwOk(app, "--help");
    assert.match(help, "acme:announce <text>");
  }, 120_000);
  it("fw-acme: its generator writes a file", async () => {
    await fwOk(app, "g", "acme:announcement", "summer", "--text=Sale");
    assert.is(readFileSync(join(app, "app/announcements/summer.txt"), "utf8").trim(), "summer: Sale");
  }, 120_000);
  it("Its page, assets and filter, a template in Eta within a layout in Liquid, and a session larger than a cookie", async () => {
    const { child, url } = await serveApp(app, { NODE_ENV: "development" });
    try {
      const client = new Client(url);
      const page = await client.page("/acme");
      assert.match(page, '<h1 class="fw-acme">ANNOUNCEMENTS!</h1>');
      for (const pattern of [/href="(\/assets\/fw_acme-[^"]+\.css)"/, /src="(\/assets\/fw_acme-[^"]+\.js)"/]) {
        const asset = await client.request(pattern.exec(page)![1]!);
        assert.is(asset.status, 200);
        assert.match(await asset.text(), "acme");
      }
      const first = await client.page("/hello");
      assert.match(first, "<h1>Hello &lt;b&gt;Ann&lt;/b&gt;</h1><p>Visit 1</p>");
      assert.match(first, /<html/);
      assert.match(await client.page("/hello"), "<p>Visit 2</p>");
      assert.match(client.cookie("fw_sid") ?? "", /^[\w-]{43}$/);
      assert.match(await new Client(url).page("/hello"), "<p>Visit 1</p>");
      write(app, { "app/views/hello/show.eta": "<p>Changed, visit <%= it.visits %></p>" });
      assert.match(await client.page("/hello"), "<p>Changed, visit 3</p>");
    } finally {
      child.kill("SIGTERM");
      await exitOf(child);
    }
  }, 120_000);

  for (const database of tested) {
    it.unless(
      database.skip,
      `fw-sessions-db does what is asked of every filler of its slot, on ${database.name}`,
      async () => {
        const root = writeApp({
          "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { database } from "framewright/plugins/database"; import { sessions } from "framewright/plugins/sessions"; import { sessionsDb } from "fw-sessions-db";
          export default definePlugins([database(), sessions(), sessionsDb({ idle: 60_000 })]);`,
        });
        install(root, { "fw-sessions-db": packages.get("fw-sessions-db")!.unpacked });
        assert.ok(existsSync(join(root, "node_modules/fw-sessions-db/migrate")));
        const values = await database.values();
        const first = await openApp(root, { values });
        await first.application.kernel.service("database").migrations.up();
        await first.close();
        const opened = await openApp(root, { values });
        try {
          const { kernel } = opened.application;
          assert.ok(kernel.plugins.includes("fw-sessions-db") && !kernel.plugins.includes("sessions"));
          for (const { sentence, check } of sessionsConformance)
            await check(kernel.service("sessions")).catch((error: Error) => {
              throw new Error(`${sentence}: ${error.message}`);
            });
          const { knex } = kernel.service("database");
          const rows = (await knex("fw_sessions").select()) as { token_hash: string; data: string }[];
          assert.ok(rows.length > 4 && rows.every(({ token_hash }) => /^[0-9a-f]{64}$/.test(token_hash)));
          await knex("fw_sessions").update({ seen_at: Date.now() - 61_000 });
        } finally {
          await opened.close();
        }
        const swept = await openApp(root, { values });
        const left = await swept.application.kernel.service("database").knex("fw_sessions").select();
        await swept.close();
        assert.is(left.length, 0);
      },
    );
  }
  after(() => tested[0]!.clean());
});
