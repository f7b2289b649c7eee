import { answerBytes } from "../../support/answer_bytes.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openSurfaces, uuids } from "./surfaces_app.ts";

// Each way to name a record × each route: what Ann may not see answers as what never was.

const ABSENT = "999999";
/** Thousands of requests, on a machine that does other work. */
const DEADLINE_MS = 240_000;
/** By table: how Ann names her own record, what she must not tell from an absent one, and an absent one. */
const named: Record<string, { own: string; hidden: readonly string[]; absent: string }> = {
  posts: {
    own: "post-alpine",
    hidden: ["post-baltic", "was-post-baltic", "now-hidden", "was-hidden", "Post-Alpine", "1", "2", "3"],
    absent: "never-was",
  },
  organizations: { own: "alpine", hidden: ["baltic", "was-baltic", "1", "2"], absent: "never-was" },
  badges: { own: uuids.a, hidden: [uuids.b, uuids.hidden, "1"], absent: uuids.absent },
  drawings: { own: "1", hidden: ["2", "3", "4", "5"], absent: ABSENT },
  scans: { own: "4", hidden: ["1", "5", "6"], absent: ABSENT },
  attachments: { own: "1", hidden: ["2", "3", "5", "6"], absent: ABSENT },
  users: { own: "1", hidden: ["2", "5"], absent: ABSENT },
  comments: { own: "1", hidden: ["2", "3"], absent: ABSENT },
  notes: { own: "1", hidden: ["2"], absent: ABSENT },
  tags: { own: "1", hidden: ["2", "3"], absent: ABSENT },
  categories: { own: "1", hidden: [], absent: ABSENT },
  runs: { own: "0", hidden: [], absent: ABSENT },
};
const [ANN, CAT, DAN, GUEST] = [1, 3, 4, 0];
const formats = ["application/json", "text/html"];
const parents: Record<string, string> = { category: "categories" };
/** The table of the record that a parameter of a path names; none for names that are no record's. */
function tableOf(path: string, parameter: string): string | undefined {
  if (parameter === "run_id") return "runs";
  if (parameter === "association" || parameter === "action_key") return undefined;
  const parent = parameter.replace(/_id$/, "");
  if (parameter !== "id") return parents[parent] ?? `${parent}s`;
  return path.slice(0, path.indexOf("/:id")).split("/").at(-1)!.replace("nested_", "");
}
interface Parameter {
  name: string;
  table: string | undefined;
}
/** The parameters of a path below its tenant. */
const parametersOf = (path: string): Parameter[] =>
  [...path.replace("/:organization_id", "").matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: name!,
    table: tableOf(path, name!),
  }));
const words: Record<string, string> = { association: "author", action_key: "ask" };
/** A path in a tenant; `value` says how the record at a place of the path is named. */
function fill(path: string, value: (at: number, parameter: Parameter) => string, tenant = "alpine"): string {
  const parameters = parametersOf(path);
  let at = -1;
  const [mount, rest] = [`/customer/${tenant}`, path.replace("/customer/:organization_id", "")];
  return (
    mount +
    rest.replace(/:(\w+)/g, (_, name: string) => {
      at++;
      return words[name] ?? value(at, parameters[at]!);
    })
  );
}
const ownPath = (path: string, tenant?: string) => fill(path, (_, { table }) => named[table!]!.own, tenant);

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Records under every name that they have, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const routes = () =>
      app.application
        .routes()
        .filter(({ engine, path }) => engine === "CustomerPortal" && path.startsWith("/customer/:organization_id"));
    if (database.skip === undefined) {
      before(async () => {
        app = await openSurfaces(await database.values());
        const start = async (user: number, tenant: string) => {
          const answer = await ask(`/customer/${tenant}/posts/actions/mark`, {
            user,
            method: "POST",
            body: { interaction: { label: "classified" } },
          });
          assert.is(answer.status, 202, await answer.text());
          return answer.headers.get("location")!.split("/").at(-1)!;
        };
        named.runs = {
          own: await start(ANN, "alpine"),
          hidden: [await start(CAT, "alpine"), await start(CAT, "baltic"), await start(2, "baltic"), "01", "1x"],
          absent: ABSENT,
        };
        await app.application.kernel.service("jobs").drain();
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body, DEADLINE_MS);
    const ask = (
      path: string,
      { user = ANN, method = "GET", accept = formats[0]!, body }: Asked = {},
    ): Promise<Response> =>
      app.request(path, {
        method,
        headers: {
          accept,
          ...(user === GUEST ? {} : { "x-user": String(user) }),
          ...(["GET", "HEAD"].includes(method) ? {} : { "content-type": "application/json" }),
        },
        ...(["GET", "HEAD"].includes(method) ? {} : { body: JSON.stringify(body ?? {}) }),
      });
    const bytes = async (path: string, options: Asked) => answerBytes(await ask(path, options));
    const stored = async () => {
      const { knex } = databaseOf(app.application);
      const tables = ["posts", "tags", "badges", "attachments", "comments", "taggings", "organizations", "users"];
      const runs = await knex("framewright_background_runs").orderBy("id").select("id", "state");
      return JSON.stringify([...(await Promise.all(tables.map((table) => knex(table).orderBy("id")))), runs]);
    };

    can("What is foreign or hidden is as what never was, at each place of each route, and stays as it is", async () => {
      const before = await stored();
      let tried = 0;
      for (const { verb, path } of routes()) {
        const parameters = parametersOf(path);
        const isNested = path.includes("/nested_");
        for (const [place, { table }] of parameters.entries()) {
          if (table === undefined) continue;
          const at = (value: string) => fill(path, (here, one) => (here === place ? value : named[one.table!]!.own));
          const methods = verb === "GET" ? ["GET", "HEAD"] : [verb];
          for (const [index, method] of methods.entries())
            for (const accept of method === "GET" && !isNested ? formats : [formats[(index + tried) % 2]!]) {
              const body = { [table]: { title: "x", name: "x" }, post: { title: "x" }, interaction: { label: "x" } };
              const absent = await bytes(at(named[table]!.absent), { method, accept, body });
              assert.is(absent.startsWith("[404,"), true, `${method} ${at(named[table]!.absent)}: ${absent}`);
              const urls = named[table]!.hidden.slice(0, isNested ? 4 : undefined).map(at);
              const answers = urls.map((url) => bytes(url, { method, accept, body }));
              for (const [one, answer] of (await Promise.all(answers)).entries())
                assert.is(answer, absent, `${method} ${accept} ${urls[one]}`);
              tried += urls.length;
            }
        }
      }
      assert.ok(tried > 1000, `only ${tried}`);
      assert.is(await stored(), before);
    });

    can("An id that is foreign or hidden is selected in vain, as one that never was", async () => {
      const before = await stored();
      let tried = 0;
      for (const { verb, path } of routes()) {
        if (!path.endsWith("/bulk/:action_key")) continue;
        for (const accept of formats) {
          const answer = (id: string) => {
            const body = { ids: [id], interaction: { label: "x" } };
            const query = verb === "GET" ? `?ids[]=${id}` : "";
            return bytes(`${ownPath(path)}${query}`, { method: verb, accept, body });
          };
          const of = async (id: string) =>
            (await answer(id))
              .replaceAll(`name=\\"ids[]\\" value=\\"${id}\\"`, "ids[]=ID")
              .replaceAll(`\\"id\\":\\"${id}\\"`, "id:ID")
              .replaceAll(new RegExp(`(\\[\\]|%5B%5D)=${id}\\b`, "g"), "$1=ID")
              .replace(/"content-length","\d+"/, ""); // ids differ in length
          const absent = await of(ABSENT);
          for (const id of ["2", "3"]) assert.is(await of(id), absent, `${verb} ${path} ${id}`);
          tried++;
        }
      }
      assert.ok(tried >= 8, `only ${tried}`);
      assert.is(await stored(), before);
    });

    can("A foreign tenant's slug of before and of now is as one that never was, for members and guests", async () => {
      for (const [index, { verb, path }] of routes().entries())
        for (const accept of /:id|nested_/.test(path) ? [formats[index % 2]!] : formats)
          for (const [user, tenants] of [
            [ANN, ["baltic", "was-baltic", "1", "Alpine"]],
            [DAN, ["alpine", "was-alpine"]],
            [GUEST, ["alpine", "was-alpine", "was-baltic"]],
          ] as const) {
            const options = { user, method: verb, accept };
            const plain = (answer: string, tenant: string) => answer.replaceAll(`/customer/${tenant}`, "/customer/T");
            const absent = plain(await bytes(ownPath(path, "never-was"), options), "never-was");
            assert.match(absent, user === GUEST ? /^\[(401|303)/ : /^\[404/, `${verb} ${path}`);
            const answers = tenants.map(async (one) => plain(await bytes(ownPath(path, one), options), one));
            for (const [at, answer] of (await Promise.all(answers)).entries())
              assert.is(answer, absent, `${user} ${verb} ${tenants[at]} ${path}`);
          }
    });

    can("No page, list, form, typeahead, panel or run shows what is foreign, hidden or classified", async () => {
      let shown = 0;
      for (const { verb, path } of routes()) {
        if (verb !== "GET") continue;
        const queries = path.endsWith("/:action_key")
          ? ["", "?_search=person&q=a", "?_search=tag"]
          : ["", "?q=a", "?scope=wide"];
        for (const query of path.endsWith("/:id") ? [""] : queries)
          for (const accept of formats) {
            const answer = await ask(ownPath(path) + query, { accept });
            const text = await answer.text();
            if (answer.status === 200) shown++;
            assert.not.ok([301, 500].includes(answer.status), `${answer.status} ${path}${query}`);
            const leak = /Baltic|Hidden|classified|fw1r?:/.exec(text);
            assert.is(leak?.[0], undefined, `${accept} ${ownPath(path)}${query}: ${around(text, leak)}`);
          }
      }
      assert.ok(shown > 250, `only ${shown}`);
      const cats = await (await ask("/customer/alpine/posts", { user: CAT })).text();
      assert.match(cats, "Hidden"); // the marks are there for those who may see them
    });

    can("A search of choices answers alike for whatever Ann may not see, and counts none of it", async () => {
      const fields = ["author", "tags", "badge", "drawing", "post", "reply_to", "comment"];
      for (const { verb, path } of routes()) {
        if (verb !== "GET" || !path.endsWith("/typeahead/:association")) continue;
        for (const field of fields) {
          const url = (term: string) => `${ownPath(path).replace(/author$/, field)}?q=${term}`;
          const nothing = await bytes(url("nothing-at-all"), {});
          if (nothing.startsWith("[404")) continue;
          for (const term of ["classified", "Baltic", "Hidden", "gamma", "alpha", "x.test", uuids.b, uuids.hidden, "3"])
            assert.is(await bytes(url(term), {}), nothing, url(term));
        }
      }
      for (const input of ["person", "tag"]) {
        const url = (term: string) => `/customer/alpine/posts/post-alpine/actions/ask?_search=${input}&q=${term}`;
        const nothing = await bytes(url("nothing-at-all"), {});
        assert.match(nothing, /^\[200/);
        for (const term of ["classified", "Baltic", "Hidden", "gamma", "alpha", "x.test", "2", "3"])
          assert.is(await bytes(url(term), {}), nothing, url(term));
      }
    });
  });
}

interface Asked {
  user?: number;
  method?: string;
  accept?: string;
  body?: unknown;
}
const around = (text: string, found: RegExpExecArray | null) =>
  found ? text.slice(Math.max(0, found.index - 200), found.index + 60) : "";
