import { definePlugin, definePlugins, type Plugin, type PluginKernel } from "framewright/kernel";
import { assets } from "framewright/plugins/assets";
import { backgroundRuns } from "framewright/plugins/background_runs";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { jobs } from "framewright/plugins/jobs";
import { layout } from "framewright/plugins/layout";
import { portals } from "framewright/plugins/portals";
import { resources } from "framewright/plugins/resources";
import { scoping } from "framewright/plugins/scoping";
import { sessions } from "framewright/plugins/sessions";
import { views } from "framewright/plugins/views";
import { bootApp, openApp, type TestApp, writeApp } from "../support/apps.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { shopFiles } from "../support/shop.ts";

declare module "framewright/kernel" {
  interface Slots {
    shelf: { service: string };
    cupboard: { service: string };
  }
}

const needed = ["host", "database", "i18n", "views", "assets", "resources", "scoping", "jobs"] as const;
type Needed = (typeof needed)[number];
type Parts = PluginKernel<Needed, never>;
type MakePlugin = (name: string) => Plugin;

const withBase = (...plugins: Plugin[]) =>
  definePlugins([
    ...[database(), i18n(), sessions(), views(), assets(), layout()],
    ...[portals(), resources(), scoping(), jobs(), backgroundRuns(), ...plugins],
  ]);
/** A plugin that registers something when it is applied. */
const adding =
  (add: (parts: Parts, name: string) => void): MakePlugin =>
  (name) =>
    definePlugin({ name, requires: needed, apply: (parts) => add(parts, name) });
const run = () => Promise.resolve({ default: () => undefined });

/** What two plugins of one list register, the code of the refusal, and what of it is named besides the two. */
const clashes: readonly (readonly [what: string, code: string, make: MakePlugin, named: string])[] = [
  [
    "a route",
    "FW_ROUTE_TAKEN",
    adding(({ hooks }, name) =>
      hooks.kernel?.drawRoutes.tap(name, (routes) => routes.get("same", { to: `${name}#go` })),
    ),
    "GET /same",
  ],
  [
    "a route, drawn by a tap that awaits",
    "FW_ROUTE_TAKEN",
    adding(({ hooks, tap }, name) =>
      tap(hooks.kernel!.drawRoutes, async (routes) => {
        await null;
        routes.get("same", { to: `${name}#go` });
      }),
    ),
    "GET /same",
  ],
  [
    "a path helper",
    "FW_ROUTE_NAME_TAKEN",
    adding(({ hooks }, name) =>
      hooks.kernel?.drawRoutes.tap(name, (routes) => routes.get(name, { to: `${name}#go`, as: "thing" })),
    ),
    '"thing"',
  ],
  [
    "a macro of routes",
    "FW_WORD_TAKEN",
    adding(({ services }, name) => services.host.routeMacros.define(name, "sweep", () => () => undefined)),
    '"sweep"',
  ],
  [
    "a macro of engines",
    "FW_WORD_TAKEN",
    adding(({ services }, name) => services.host.engineMacros.define(name, "sweep", () => () => undefined)),
    '"sweep"',
  ],
  [
    "a macro of definitions",
    "FW_WORD_TAKEN",
    adding(({ services }, name) =>
      services.resources.registry.definitionMacros.define(name, "sweep", () => () => undefined),
    ),
    '"sweep"',
  ],
  [
    "a kind of job",
    "FW_JOB_KIND_TAKEN",
    adding(({ services }) => services.jobs.define("sweep", async () => undefined)),
    '"sweep"',
  ],
  [
    "a schedule",
    "FW_SCHEDULE_TAKEN",
    adding(({ services }) => services.jobs.every("nightly", { kind: "sweep", hours: 24 })),
    '"nightly"',
  ],
  [
    "an asset",
    "FW_ASSET_TAKEN",
    adding(({ services }) => services.assets.add("broom.js", import.meta.filename)),
    '"broom.js"',
  ],
  [
    "a text",
    "FW_TEXT_TAKEN",
    adding(({ services }, name) => services.i18n.add("en", { sweeping: { title: name } })),
    '"sweeping.title"',
  ],
  [
    "a Liquid filter",
    "FW_REGISTRY_TAKEN",
    adding(({ services }) => services.views.addFilter("sweep", () => "")),
    'the Liquid filter "sweep"',
  ],
  [
    "a mode of authentication",
    "FW_REGISTRY_TAKEN",
    adding(({ services }) => services.host.authModes.add("badge", { find: () => undefined })),
    'the mode of authentication "badge"',
  ],
  [
    "a type of fields",
    "FW_REGISTRY_TAKEN",
    adding(({ services }) => services.resources.fieldTypes.add("dust", services.resources.fieldTypes.get("string")!)),
    'the type of fields "dust"',
  ],
  [
    "an action of resources",
    "FW_REGISTRY_TAKEN",
    adding(({ services }) => services.resources.addActions({ sweep: () => undefined })),
    'the action of resources "sweep"',
  ],
  [
    "a kind of runs in the background",
    "FW_REGISTRY_TAKEN",
    (name) =>
      definePlugin({
        name,
        requires: ["background_runs"],
        apply: ({ services }) =>
          services.background_runs.define({
            actions: ["dust.sweep"],
            has: () => false,
            advance: async () => undefined,
          }),
      }),
    'the kind of runs in the background "dust.sweep"',
  ],
  [
    "a strategy of tenants",
    "FW_REGISTRY_TAKEN",
    adding(({ services }) => services.scoping.strategies.add("gateway", { find: () => undefined })),
    'the scoping strategy "gateway"',
  ],
  [
    "a readiness check",
    "FW_HEALTH_TAKEN",
    adding(({ services }) => services.host.health.add("dust", () => undefined)),
    '"dust"',
  ],
  [
    "a database driver",
    "FW_REGISTRY_TAKEN",
    adding(({ services }) => services.database.drivers.add("dustdb", services.database.drivers.get("sqlite")!)),
    'the database driver "dustdb"',
  ],
  [
    "a command",
    "FW_REGISTRY_TAKEN",
    (name) =>
      definePlugin({
        name,
        commands: [{ name: "dust:sweep", summary: "Sweep", example: "fw dust:sweep", load: run }],
        apply: () => undefined,
      }),
    'the command "dust:sweep"',
  ],
  [
    "the alias of a command",
    "FW_REGISTRY_TAKEN",
    (name) =>
      definePlugin({
        name,
        commands: [{ name: `${name}:sweep`, alias: "sw", summary: "Sweep", example: "fw sw", load: run }],
        apply: () => undefined,
      }),
    'the command "sw"',
  ],
  [
    "a generator",
    "FW_REGISTRY_TAKEN",
    (name) =>
      definePlugin({
        name,
        generators: {
          "dust:cloth": { name: "dust:cloth", summary: "", example: "", directory: "", run: () => undefined },
        },
        apply: () => undefined,
      }),
    'the generator "dust:cloth"',
  ],
  ["a slot", "FW_SLOT_TAKEN", (name) => definePlugin({ name, provides: "shelf", apply: () => name }), '"shelf"'],
  [
    "a slot that both take over",
    "FW_SLOT_TAKEN",
    (name) => definePlugin({ name, provides: "shelf", replaces: true, apply: () => name }),
    '"shelf"',
  ],
  [
    "slots that each requires of the other",
    "FW_PLUGIN_CYCLE",
    (name) =>
      name === "broom"
        ? definePlugin({ name, provides: "shelf", requires: ["cupboard"], apply: () => name })
        : definePlugin({ name, provides: "cupboard", requires: ["shelf"], apply: () => name }),
    "->",
  ],
];

async function refusal(code: string, plugins: readonly Plugin[]): Promise<string> {
  const boot = async () => {
    const app = await bootApp({ "plugins.config.ts": "export default [];" }, { plugins: withBase(...plugins) });
    await app.close();
  };
  return (await throwsCode(code, boot)).message;
}

/** The shop with an author, and what is logged as an error. */
async function openLogged(plugins: () => readonly Plugin[]): Promise<{ app: TestApp; logged: string[] }> {
  const root = writeApp(shopFiles);
  const open = () => openApp(root, { plugins: plugins(), values: { NODE_ENV: "development", LOG_LEVEL: "silent" } });
  const first = await open();
  await first.application.kernel.service("database").migrations.up();
  await first.close();
  const app = await open();
  const logged: string[] = [];
  const { log } = app.application;
  log.error = ((_: unknown, message: string) => void logged.push(message)) as typeof log.error;
  const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
  const { knex } = app.application.kernel.service("database");
  await knex("authors").insert({ name: "Ann", ...stamps });
  return { app, logged };
}

describe("What two plugins both claim ends boot, in a sentence that names both and what to do", (it) => {
  for (const [what, code, make, named] of clashes)
    it(`Two plugins claim ${what}`, async () => {
      const message = await refusal(code, [make("broom"), make("vacuum")]);
      for (const part of ["broom", "vacuum", named]) assert.ok(message.includes(part), `${part}: ${message}`);
      assert.match(message, /\. (Rename|Give|Leave|Change|Put)\b/);
      assert.match(message.trim(), /^[^\n]+\.$/);
    });
  it("A plugin that adds an action of the framework's is refused by both names, at each boot of the process", async () => {
    const saves = adding(({ services }) => services.resources.addActions({ create: () => undefined }));
    for (let boot = 0; boot < 2; boot++)
      assert.match(
        await refusal("FW_REGISTRY_TAKEN", [saves("broom")]),
        '"resources" and "broom" both add the action of resources "create"',
      );
  });
  it("Two plugins have one name: their places in the list are named", async () => {
    const same = definePlugin({ name: "broom", apply: () => undefined });
    const message = await refusal("FW_PLUGIN_DUPLICATE", [same, same]);
    assert.match(message, /entry \d+ and entry \d+ of plugins\.config\.ts are both named "broom"\. Remove one/);
  });
  it("A plugin that registers something twice is named once, and not as two", async () => {
    const twice = adding(({ services }) => {
      for (const filter of [() => "a", () => "b"]) services.views.addFilter("sweep", filter);
    });
    assert.match(await refusal("FW_REGISTRY_TAKEN", [twice("broom")]), '"broom" adds the Liquid filter "sweep" twice');
  });
  it("A plugin that the application replaces keeps its commands to itself", async () => {
    const commands = [{ name: "dust:sweep", summary: "Sweep", example: "fw dust:sweep", load: run }];
    const plugins = [
      definePlugin({ name: "broom", provides: "shelf", commands, apply: () => "broom" }),
      definePlugin({ name: "vacuum", provides: "shelf", replaces: true, commands, apply: () => "vacuum" }),
    ];
    const app = await bootApp({ "plugins.config.ts": "export default [];" }, { plugins: withBase(...plugins) });
    assert.is(app.application.kernel.service("shelf"), "vacuum");
    await app.close();
  });
  it("Two plugins draw one route of a resource: boot ends, by both names", async () => {
    const drawing = adding(({ hooks, tap }, name) =>
      tap(hooks.resources.place, ({ base, draw }) => {
        draw("GET", `${base}/dust`, { action: name === "broom" ? "index" : "new", policy: "index" });
      }),
    );
    const plugins = withBase(drawing("broom"), drawing("vacuum"));
    const error = await throwsCode("FW_ROUTE_TAKEN", async () => (await bootApp(shopFiles, { plugins })).close());
    for (const part of ["broom", "vacuum", "GET /", "/dust"]) assert.match(error.message, part);
  });
  it("Two plugins add a tab of one key, or a row below a list: the second fails alone, and the log names both", async () => {
    const heads = adding(({ hooks, tap }, name) => {
      tap(hooks.resources.listHead, async (head) => {
        await null;
        head.addTab({ key: "dust", label: `Tab of ${name}`, url: `/${name}`, active: false });
      });
      tap(hooks.resources.listRows, (rows) => {
        rows.foot = { title: `Foot of ${name}`, cells: new Map() };
      });
    });
    const { app, logged } = await openLogged(() => withBase(heads("broom"), heads("vacuum")));
    try {
      const page = await (await app.request("/admin/authors")).text();
      for (const part of ["Tab of broom", "Foot of broom"]) assert.match(page, part);
      for (const part of ["Tab of vacuum", "Foot of vacuum"]) assert.not.match(page, part);
      const log = logged.join("\n");
      assert.match(log, /"broom" and "vacuum" both add the tab of lists "dust"/);
      assert.match(log, /"broom" and "vacuum" both set the row below the list of Author/);
    } finally {
      await app.close();
    }
  });
  it("Two plugins add a panel to the page of a record: the second fails alone, and the log names both", async () => {
    const paneled = adding(({ hooks, tap }) =>
      tap(hooks.resources.panels, async (panels) => {
        await null;
        panels.add("dust", { title: "Dust", content: () => undefined });
      }),
    );
    const { app, logged } = await openLogged(() => withBase(paneled("broom"), paneled("vacuum")));
    try {
      const page = await app.request("/admin/authors/1");
      assert.is(page.status, 200);
      assert.match(await page.text(), "Couldn’t load.");
      assert.match(logged.join("\n"), /"broom" and "vacuum" both add the panel/);
    } finally {
      await app.close();
    }
  });
});
