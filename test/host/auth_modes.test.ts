import { type AuthMode, HttpError, Reply, type RequestContext } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { openApp, type TestApp, writeApp } from "../support/apps.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { sendRaw } from "./raw.ts";

// A mode of authentication answers for its controllers alone, and whatever goes wrong in it admits nobody.

const people = new Map([["key of ann", { id: 1, name: "Ann" }]]);
const byKey = (request: RequestContext) => people.get(request.singleHeader("x-key") ?? "");

/** A plugin that adds modes, each with its options. */
const adding = (name: string, modes: Record<string, AuthMode>): Plugin =>
  definePlugin({
    name,
    requires: ["host"],
    apply({ services }) {
      for (const [mode, options] of Object.entries(modes)) services.host.authModes.add(mode, options);
    },
  });
const answering = (answer: unknown): AuthMode => ({ find: () => answer as object });
const throwing = (error: unknown): AuthMode => ({
  find() {
    throw error;
  },
});

/** A controller of each mode, with every verb. */
const files = (modes: readonly string[], routes = modes) => ({
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => { for (const name of ${JSON.stringify(routes)}) for (const verb of ["get", "post", "put", "patch", "delete"] as const) routes[verb](name, { to: name + "#index" }); });`,
  ...Object.fromEntries(
    modes.map((mode) => [
      `app/controllers/${mode}_controller.ts`,
      `import { AuthenticatedBy, BaseController, concern } from "framewright";
       export default class ${mode[0]!.toUpperCase()}${mode.slice(1)}Controller extends concern(BaseController, AuthenticatedBy("${mode}")) { index() { return this.json({ who: (this.currentUser as { name?: string } | undefined)?.name ?? null }); } }`,
    ]),
  ),
});
async function withModes(
  modes: Record<string, AuthMode>,
  story: (app: TestApp, logged: string[]) => Promise<void>,
  others: readonly Plugin[] = [],
): Promise<void> {
  const root = writeApp(files(Object.keys(modes)));
  const app = await openApp(root, { plugins: [...others, adding("gate", modes)] });
  const logged: string[] = [];
  app.application.log.error = ((...parts: unknown[]) => void logged.push(String(parts.at(-1)))) as never;
  await story(app, logged).finally(() => app.close());
}
const verbs = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const ask = (app: TestApp, path: string, headers: Record<string, string> = {}, method = "GET") =>
  app.request(`/${path}`, {
    method,
    headers: {
      accept: "application/json",
      ...(/GET|HEAD/.test(method) ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(/GET|HEAD/.test(method) ? {} : { body: "{}" }),
  });

describe("A mode of authentication", (it) => {
  it("find admits whom it finds, and a guest gets 401 with the challenge on each verb and format", () =>
    withModes({ key: { find: byKey, challenge: ({ path }) => `Key realm="${path}"` } }, async (app) => {
      for (const method of verbs) {
        const answer = await ask(app, "key", { "x-key": "key of ann" }, method);
        assert.is(answer.status, 200, method);
        if (method !== "HEAD") assert.equal(await answer.json(), { who: "Ann" });
        for (const accept of ["application/json", "text/html", "*/*"]) {
          const refused = await ask(app, "key", { accept }, method);
          assert.is(refused.status, 401, `${method} ${accept}`);
          assert.is(refused.headers.get("www-authenticate"), 'Key realm="/key"');
        }
      }
    }));
  it("No header, an empty one, an unknown one and two of them admit nobody", () =>
    withModes({ key: { find: byKey } }, async (app) => {
      const status = async (headers: string) =>
        (await sendRaw(app.url, `GET /key HTTP/1.1\r\nHost: localhost\r\n${headers}Accept: application/json\r\n\r\n`))
          .status;
      assert.is(await status("X-Key: key of ann\r\n"), 200);
      for (const headers of [
        "",
        "X-Key:\r\n",
        "X-Key:   \r\n",
        "X-Key: key of bob\r\n",
        "X-Key: key of ann\r\nX-Key: key of ann\r\n",
        "X-Key: key of ann\r\nx-key: key of bob\r\n",
        "X-Key: \r\nX-Key: key of ann\r\n",
        "X-Key: key of ann, key of ann\r\n",
      ])
        assert.is(await status(headers), 401, headers);
    }));
  it("What identifies nobody is an error that names plugin and hook, and is never admitted", () =>
    withModes(
      {
        empty: answering({}),
        bare: answering(Object.create(null)),
        unnamed: answering({ id: undefined, name: "Ann" }),
        blank: answering({ name: undefined, key: "" }),
        nan: answering({ id: Number.NaN }),
        list: answering([{ id: 1 }]),
        text: answering("ann"),
        yes: answering(true),
        no: answering(false),
        zero: answering(0),
        error: answering(new Error("nobody")),
        promised: { find: async () => "ann" as never },
        reply: answering(new Reply(200, "in")),
      },
      async (app, logged) => {
        for (const mode of app.application.routes().filter(({ verb }) => verb === "GET"))
          for (const method of verbs)
            assert.is((await ask(app, mode.path.slice(1), {}, method)).status, 500, `${method} ${mode.path}`);
        assert.match(
          logged[0] ?? "",
          /"gate" answered the hook "kernel.authenticate" with an object.*expected an account/,
        );
        assert.ok(logged.some((text) => /FW_AUTH_REPLY.*"reply"/.test(text)));
      },
    ));
  it("undefined, null and promises of them are guests", () =>
    withModes(
      {
        nothing: answering(undefined),
        nobody: answering(null),
        later: { find: async () => undefined },
        never: { find: async () => null },
        open: { guests: "admit", find: async () => undefined },
      },
      async (app) => {
        for (const mode of ["nothing", "nobody", "later", "never"])
          for (const method of verbs) assert.is((await ask(app, mode, {}, method)).status, 401, `${method} ${mode}`);
        assert.is((await ask(app, "open")).status, 200);
      },
    ));
  it("A mode that throws is 500, or the status of its error, also where it admits guests", () =>
    withModes(
      {
        broken: throwing(new Error("no directory")),
        odd: throwing("a text"),
        away: throwing(new HttpError(503, "FW_AWAY", "the directory is away.")),
        rejected: { guests: "admit", find: () => Promise.reject(new Error("no directory")) },
        challenged: { find: () => null, challenge: () => "Key\r\nset-cookie: a=b" },
        led: { find: () => null, signIn: () => "//evil.example" },
        hung: {
          find: () => null,
          challenge: () => {
            throw new Error("no realm");
          },
        },
      },
      async (app, logged) => {
        for (const [mode, status] of Object.entries({
          broken: 500,
          odd: 500,
          away: 503,
          rejected: 500,
          challenged: 500,
          hung: 500,
        }))
          for (const accept of ["application/json", "text/html"])
            for (const method of verbs)
              assert.is((await ask(app, mode, { accept }, method)).status, status, `${method} ${mode} ${accept}`);
        assert.is((await ask(app, "led", { accept: "text/html" })).status, 500);
        assert.is((await ask(app, "led")).status, 401);
        assert.ok(logged.some((text) => /"gate" failed in the hook "kernel.authenticate": no directory/.test(text)));
        assert.ok(logged.some((text) => /FW_AUTH_MODE_ANSWER.*"challenge".*"challenged".*"gate"/.test(text)));
      },
    ));
  it("A guest who asks for a page is led to the sign-in of the mode, and a program gets 401", () =>
    withModes({ sso: { find: () => null, signIn: ({ path }) => `https://sso.example/?to=${path}` } }, async (app) => {
      const page = await ask(app, "sso", { accept: "text/html" });
      assert.equal([page.status, page.headers.get("location")], [303, "https://sso.example/?to=/sso"]);
      for (const method of verbs) assert.is((await ask(app, "sso", {}, method)).status, 401, method);
    }));
  it("find is asked for its own mode alone, after the taps of the hook", async () => {
    const asked: string[] = [];
    const before = definePlugin({
      name: "before",
      requires: ["host"],
      apply({ hooks }) {
        hooks.kernel.authenticate.tap("before", (request) => {
          const given = request.header("x-stands");
          if (given === undefined) return undefined;
          return given === "nobody" ? null : { id: 2, name: `${given} of ${request.authentication?.mode}` };
        });
      },
    });
    const noting = (name: string): AuthMode => ({
      find(_, { mode }) {
        asked.push(`${name} for ${mode}`);
        return { id: 1, name };
      },
    });
    await withModes(
      { first: noting("first"), second: noting("second") },
      async (app) => {
        assert.equal(await (await ask(app, "second")).json(), { who: "second" });
        assert.equal(asked.splice(0), ["second for second"]);
        assert.equal(await (await ask(app, "first", { "x-stands": "Bob" })).json(), { who: "Bob of first" });
        assert.is((await ask(app, "first", { "x-stands": "nobody" })).status, 401);
        assert.equal(asked, []);
      },
      [before],
    );
  });
  it("A mode without find is refused at boot, unless its plugin taps the hook", async () => {
    const open = (plugin: Plugin) => openApp(writeApp(files([])), { plugins: [plugin] });
    const tapping = (mode: string) =>
      definePlugin({
        name: "gate",
        requires: ["host"],
        apply({ services, hooks }) {
          services.host.authModes.add(mode);
          hooks.kernel.authenticate.tap("gate", () => undefined);
        },
      });
    const error = await throwsCode("FW_AUTH_MODE_EMPTY", () => open(adding("gate", { key: {} })));
    assert.match(error.message, /"gate" adds the mode of authentication "key".*find/);
    await throwsCode("FW_AUTH_MODE_EMPTY", () => open(adding("gate", { key: {}, other: { find: byKey } })));
    await (await open(tapping("key"))).close();
  });
  it("A misspelt or unfit option, a mode of two plugins and one that is added after boot are refused", async () => {
    const refused = (options: object) =>
      throwsCode("FW_AUTH_MODE_OPTION", () =>
        openApp(writeApp(files([])), { plugins: [adding("gate", { key: options as AuthMode })] }),
      );
    assert.match((await refused({ fnd: byKey })).message, /"gate".*"key".*no option "fnd"/);
    for (const options of [
      { find: true },
      { find: byKey, guests: "admitted" },
      { find: byKey, challenge: "a\nb" },
      { find: byKey, challenge: "" },
      { find: byKey, signIn: "/in" },
    ])
      await refused(options);
    const both = [adding("gate", { key: { find: byKey } }), adding("fence", { key: { guests: "admit", find: byKey } })];
    const error = await throwsCode("FW_REGISTRY_TAKEN", () => openApp(writeApp(files([])), { plugins: both }));
    assert.match(error.message, '"gate" and "fence" both add the mode of authentication "key"');
    await withModes({ key: { find: byKey } }, async ({ application }) => {
      for (const options of [
        { find: () => ({ id: 1 }) },
        { guests: "admit" as const },
        { replace: true, guests: "admit" as const },
      ])
        await throwsCode("FW_REGISTERED_LATE", async () => application.authModes.add("key", options));
    });
  });
  it("A mode that replaces another's answers alone", async () => {
    const root = writeApp(files(["key"]));
    const replacing = definePlugin({
      name: "fence",
      requires: ["host"],
      apply: ({ services }) => services.host.authModes.add("key", { replace: true, find: () => null }),
    });
    const app = await openApp(root, { plugins: [adding("gate", { key: { find: byKey } }), replacing] });
    assert.is((await ask(app, "key", { "x-key": "key of ann" })).status, 401);
    await app.close();
  });
});
