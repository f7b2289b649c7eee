import { setTimeout as sleep } from "node:timers/promises";
import { FramewrightError } from "framewright/kernel";
import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { as } from "../wizards/mounts_support.ts";
import { SabotagedApp } from "./faults_app.ts";
import { type Fault, Saboteur } from "./saboteur.ts";

// Every hook of every slot, as the kernel lists them: what a plugin does wrong there is named by plugin and hook, ends in
// time, and touches no other request.

const json = { "x-user": "1", accept: "application/json", "content-type": "application/json" };
const get = (path: string) => async (app: TestApp) => (await app.request(path, { headers: { "x-user": "1" } })).status;

/** What a visitor does; the status of the last answer. */
const stories = {
  page: get("/admin/posts/1"),
  list: get("/admin/posts"),
  filters: async (app: TestApp) =>
    (
      await app.request("/admin/posts/list/options?show=display", {
        headers: { "x-user": "1", "turbo-frame": "fw-options" },
      })
    ).status,
  form: async (app: TestApp) => (await app.request("/admin/posts/new", { headers: json })).status,
  records: async (app: TestApp) => (await app.request("/admin/posts", { headers: json })).status,
  missing: get("/admin/posts/9999"),
  figure: get("/admin/dashboards/main/cards/posts"),
  desk: get("/admin/dashboards/main/cards/waiting"),
  ready: get("/readyz"),
  async create(app: TestApp) {
    const body = JSON.stringify({ post: { title: "New" } });
    return (await app.request("/admin/posts", { method: "POST", headers: json, body })).status;
  },
  async destroy(app: TestApp) {
    const body = JSON.stringify({ post: { title: "Short-lived" } });
    const created = await app.request("/admin/posts", { method: "POST", headers: json, body });
    const { data } = (await created.json()) as { data: { id: number } };
    return (await app.request(`/admin/posts/${data.id}`, { method: "DELETE", headers: json })).status;
  },
  question: async (app: TestApp) =>
    (await app.request("/admin/posts/1/actions/destroy", { headers: { "x-user": "1" } })).status,
  async erase(app: TestApp) {
    const client = as(app.client(), 1);
    const body = JSON.stringify({ post: { title: "Short-lived" } });
    const created = await app.request("/admin/posts", { method: "POST", headers: json, body });
    const { data } = (await created.json()) as { data: { id: number } };
    return (await client.submit(`/admin/posts/${data.id}/actions/destroy`, {}).catch(() => ({ status: 500 }))).status;
  },
  async tour(app: TestApp) {
    const client = as(app.client(), 1);
    const launched = await client.request("/admin/tour");
    if (launched.status !== 303) return launched.status;
    const step = launched.headers.get("location")!.replace(app.url, "");
    return (await client.submit(step, { "wizard[title]": "A" }).catch(() => ({ status: 500 }))).status;
  },
};
type Story = keyof typeof stories;

/** The story that reaches a hook. */
const reached: Readonly<Record<string, Story>> = {
  ...{ "host.request": "page", "host.reply": "page", "host.page": "page", "host.ready": "ready" },
  ...{ "host.observe": "page", "host.settled": "page" },
  ...{ "kernel.authenticate": "page", "kernel.layout": "page", "kernel.error": "missing" },
  ...{ "views.render": "page", "portals.navigation": "page", "portals.userMenu": "page", "dashboards.waiting": "desk" },
  ...{
    "database.handOut": "figure",
    "database.creating": "create",
    "database.changing": "create",
    "database.changed": "create",
  },
  ...{
    "resources.recordPage": "page",
    "resources.panels": "page",
    "resources.actions": "page",
    "resources.scope": "page",
  },
  "resources.decided": "page",
  ...{ "resources.listOpening": "list", "resources.listHead": "list", "resources.listRows": "list" },
  ...{ "resources.listShapes": "list", "resources.json": "records" },
  ...{ "resources.table": "list", "resources.filterPanel": "filters", "resources.creating": "create" },
  ...{ "resources.destroying": "destroy", "resources.destroyQuestion": "question", "resources.destroyed": "erase" },
  ...{ "resources.fields": "page", "resources.authorize": "page", "resources.defaults": "create" },
  ...{ "resources.record": "create", "wizards.sent": "tour", "wizards.locked": "tour" },
  ...{ "wizards.completing": "tour", "wizards.executing": "tour", "wizards.executed": "tour" },
  ...{ "wizards.completed": "tour", "wizards.wizard": "tour" },
};
/** Hooks that are called while an application boots, listens or closes. */
const atBoot = [
  ...["kernel.contribute", "kernel.configure", "kernel.boot", "kernel.drawRoutes", "kernel.resolveController"],
  ...["kernel.ready", "host.loaded", "host.engine", "host.prepare", "host.compile", "host.listening"],
  ...["dashboards.cards", "resources.define", "resources.draw", "resources.place", "resources.portal"],
  "database.described",
];
const atClose = ["kernel.close", "host.stopping"];
/** Hooks that no request reaches, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  "host.list": "fw routes calls it",
  "host.examine": "fw doctor calls it",
  "host.explain": "fw doctor --explain calls it",
  "host.locale":
    "a choice of a language calls it, where an application has several: test/plugins/authlib/languages.test.ts",
  "database.connect":
    "a connection that fails at boot is tried again, as of a database that is away: test/host/away_at_boot.test.ts",
  "jobs.failed": "a job that failed for the last time calls it, outside of requests: test/plugins/jobs",
  "resources.backgroundAccount": "a job calls it: test/plugins/resources/background.test.ts",
  "resources.backgroundRun": "a job calls it at its end: test/plugins/resources/background.test.ts",
};

/** The check of `/readyz` is named by its plugin, as other checks are by their names. */
const isNamed = (text: string, hook: string) =>
  text.includes('"saboteur"') && text.includes(hook === "host.ready" ? "readiness check" : hook);

describe("A plugin that misbehaves in a hook", (it, { before, after }) => {
  const sabotaged = new SabotagedApp();
  const saboteur = new Saboteur();
  const logged: string[] = [];
  let app: TestApp;
  before(async () => {
    await sabotaged.prepare();
    app = await sabotaged.open(saboteur, logged);
  });
  after(() => app.close());

  /** `after`: milliseconds by which the second visitor is later. */
  const both = async (story: Story, after: number): Promise<number[]> => {
    const second = sleep(after).then(() => stories[story](app));
    const answers = Promise.all([stories[story](app), second]);
    const late = sleep(8000, undefined, { ref: false }).then(() => Promise.reject(new Error(`${story} never ended`)));
    return Promise.race([answers, late]);
  };
  const usual = new Map<Story, number>();

  it("Every hook of every slot is tried here, or listed with the reason why not", () => {
    const tried = [...Object.keys(reached), ...atBoot, ...atClose, ...Object.keys(elsewhere)];
    assert.equal([...tried].sort(), sabotaged.hooks.map(({ hook }) => hook).sort());
  });
  it("What visitors do works while nothing is sabotaged", async () => {
    for (const story of Object.keys(stories) as Story[]) usual.set(story, await stories[story](app));
    assert.equal(Object.fromEntries(usual), {
      ...{
        page: 200,
        list: 200,
        records: 200,
        filters: 200,
        form: 200,
        destroy: 204,
        question: 200,
        erase: 303,
        missing: 404,
        figure: 200,
        desk: 200,
        ready: 200,
        create: 201,
        tour: 303,
      },
    });
  });

  /** Two visitors do the same at once, and one of them meets the fault. */
  async function meet(hook: string, fault: Fault): Promise<string[]> {
    const story = reached[hook]!;
    logged.length = 0;
    saboteur.arm(hook, fault);
    const statuses = await both(story, fault === "hang" ? 150 : 0); // who waits for what hangs has time left afterwards
    const what = `${hook}, ${fault}: ${statuses.join(" and ")}\n${logged.join("\n")}`;
    assert.is(saboteur.fired, 1, what);
    const others = statuses.filter((status) => status === usual.get(story)).length;
    assert.ok(others >= (hook === "host.ready" ? 0 : 1), what); // those who ask whether it is ready share one check
    if (fault === "nonsense" && others === 2) return []; // an answer that nobody reads
    if (fault === "mutate") {
      assert.is(await stories[story](app), usual.get(story), what);
      return [];
    }
    assert.ok(
      logged.some((line) => isNamed(line, hook)),
      what,
    );
    assert.is(await stories[story](app), usual.get(story), what);
    return [what];
  }
  const faulty = async (fault: Fault, isFor: (kind: string) => boolean = () => true) => {
    const failures: string[] = [];
    for (const { hook, kind } of sabotaged.hooks) {
      if (!(hook in reached) || !isFor(kind)) continue;
      await meet(hook, fault).catch((error: Error) => failures.push(error.message));
    }
    assert.equal(failures, []);
  };

  it("One that throws is named by plugin and hook, and another request at the same time is answered", async () => {
    await faulty("throw");
    await faulty("throw nothing");
  });
  it("One that answers a query that nobody runs is named, where the hook doesn't await it", () =>
    faulty("thenable", (kind) => kind.startsWith("Sync")));
  it("One that answers nonsense is named, or its answer is not read", () => faulty("nonsense"));
  it("One that empties the lists and objects that it gets spoils no other request", () => faulty("mutate"));
  it("One that hangs is named when the request's deadline has passed, and other requests are answered", async () => {
    await faulty("hang", (kind) => !kind.startsWith("Sync"));
  }, 120_000);
});

describe("A plugin that misbehaves while an application boots or closes", (it, { before }) => {
  const sabotaged = new SabotagedApp();
  before(() => sabotaged.prepare());
  const kindOf = (name: string) => sabotaged.hooks.find(({ hook }) => hook === name)!.kind;
  const faultsOf = (hook: string): Fault[] =>
    kindOf(hook).startsWith("Sync") ? ["throw", "throw nothing", "thenable"] : ["throw", "throw nothing", "hang"];

  /** What opening and closing it fails with. */
  async function failure(hook: string, fault: Fault): Promise<Error | undefined> {
    const saboteur = new Saboteur();
    saboteur.arm(hook, fault);
    try {
      const app = await sabotaged.open(saboteur);
      await app.close();
    } catch (error) {
      return error as Error;
    }
    return undefined;
  }
  for (const hook of [...atBoot, ...atClose])
    it(`${hook}: what it throws, answers wrongly or never ends is named by plugin and hook`, async () => {
      for (const fault of faultsOf(hook)) {
        const start = performance.now();
        const error = await failure(hook, fault);
        assert.ok(error instanceof FramewrightError, `${fault}: ${error}`);
        assert.ok(isNamed(error.message, hook), `${fault}: ${error.message}`);
        assert.ok(performance.now() - start < 10_000, fault);
      }
    }, 120_000);
  it("An application that failed to boot or to close can be opened again", async () => {
    await failure("kernel.boot", "throw");
    await failure("host.stopping", "throw");
    await failure("kernel.close", "hang");
    const app = await sabotaged.open();
    assert.is(await stories.page(app), 200);
    await app.close();
  });
});
