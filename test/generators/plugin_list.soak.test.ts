import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, type Ran, runCommand } from "./support.ts";

// What plugins.config.ts says of itself: a line left out is a capability left out, and the order of lines says nothing.

/** Opens the application with its list as it stands, and prints its routes, and pages of a person and of a guest. */
const probe = `
import { openTestApplication } from "framewright/testing";
const app = await openTestApplication();
const auth = app.application.kernel.has("auth") ? app.application.kernel.service("auth") : undefined;
const pages = {};
const see = async (name, client) => {
  for (const path of ["/", "/admin", "/admin/blogging/posts", "/admin/blogging/posts/new", "/shop/blogging/posts", "/welcome"]) {
    const { status, headers, text } = await client.request(path, { redirect: "manual" })
      .then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
    const type = headers.get("content-type") ?? "";
    const isHalf = status === 200 && type.startsWith("text/html") && !text.includes("</html>");
    pages[name + " " + path] = [status, isHalf ? "half a page" : "", text.replace(/name="authenticity_token" value="[^"]*"|content="[^"]*" name="csrf-token"|nonce-\\S+|[0-9a-f-]{36}|csrf-token" content="[^"]*"/g, "")];
  }
};
await see("guest", { request: app.request });
if (auth) {
  await auth.createAccount("user", { email: "ann@example.com" }, { password: "correct horse battery" });
  await see("ann", await app.signIn("user", "ann@example.com"));
}
const routes = app.application.routes().map(({ verb, path, to, account, guests }) => [verb, path, to, account, guests].join(" "));
await app.close();
process.stdout.write(JSON.stringify({ routes, pages }));
`;

/** The same order for the same seed. */
function seededShuffle(names: readonly string[], seed: number): string[] {
  let state = seed;
  const draw = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state % most;
  };
  const shuffled = [...names];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = draw(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}

interface Seen {
  routes: string[];
  pages: Record<string, [status: number, half: string, text: string]>;
}

/** What leaving a line out does: the application boots without the capability, or says which line is missing. */
const outcomes: Readonly<Record<string, "boots" | RegExp>> = {
  database: /FW_SLOT_EMPTY: "\w+" requires "database".* Add database\(\) of "framewright\/plugins\/database"/,
  i18n: /FW_SLOT_EMPTY: "\w+" requires "i18n".* Add i18n\(\) of "framewright\/plugins\/i18n"/,
  sessions: /FW_SLOT_EMPTY: "\w+" requires "sessions".* Add sessions\(\)/,
  views: /FW_SLOT_EMPTY: "\w+" requires "views".* Add views\(\)/,
  layout: /FW_SLOT_EMPTY: "\w+" requires "layout".* Add layout\(\)/,
  assets: /FW_SLOT_EMPTY: "\w+" requires "assets".* Add assets\(\)/,
  portals: /FW_SLOT_EMPTY: "\w+" requires "portals".* Add portals\(\)/,
  resources: /FW_SLOT_EMPTY: "\w+" requires "resources".* Add resources\(\)/,
  jobs: /FW_SLOT_EMPTY: "\w+" requires "jobs".* Add jobs\(\)/,
  mailer: /FW_SLOT_EMPTY: "\w+" requires "mailer".* Add mailer\(\)/,
  passwords:
    /FW_SLOT_EMPTY: "authlib" requires "passwordHasher".* Add passwords\(\) of "framewright\/plugins\/passwords"/,
  storage: /FW_SLOT_EMPTY: "\w+" requires "storage".* Add storage\(\)/,
};

describe("The list of plugins", (it, { before }) => {
  let app: string;
  let config: string;
  let names: string[];
  const run = (): Promise<Ran> => runCommand(process.execPath, ["--import", "framewright/register", "probe.mjs"], app);
  const list = (calls: readonly string[]) =>
    writeFileSync(
      join(app, "plugins.config.ts"),
      config.replace(/definePlugins\(\[[\s\S]*\]\)/, `definePlugins([${calls.map((name) => `${name}(), `).join("")}])`),
    );
  before(async () => {
    await ensureBuilt();
    app = await newApp();
    const g = (...words: string[]) => fwOk(app, "g", ...words);
    await g("fw:authlib:install");
    await g("fw:authlib:account", "user");
    await g("fw:pkg:package", "blogging");
    await g("fw:res:scaffold", "Blogging::Post", "title:string", "--dest=blogging");
    await g("fw:pkg:portal", "admin", "--auth=user");
    await g("fw:pkg:portal", "shop", "--public");
    await g("fw:wizard", "Onboard", "--steps=company:name,billing:city", "--dest=admin_portal");
    await fwOk(app, "db:migrate");
    for (const portal of ["admin_portal", "shop_portal"]) await g("fw:res:conn", "Blogging::Post", `--dest=${portal}`);
    writeFileSync(join(app, "probe.mjs"), probe);
    config = readFileSync(join(app, "plugins.config.ts"), "utf8");
    names = [...(/definePlugins\(\[([\s\S]*)\]\)/.exec(config)?.[1] ?? "").matchAll(/(\w+)\(\)/g)].map(
      ([, name]) => name!,
    );
    assert.ok(names.length > 15 && existsSync(join(app, "db/migrate")), names.join());
  });

  it("Each line left out is refused with the plugin, the factory and the module to add, or leaves an application that works", async () => {
    for (const left of names) {
      list(names.filter((name) => name !== left));
      const { code, out, err } = await run();
      const expected = outcomes[left] ?? "boots";
      if (expected === "boots" && code === 0) {
        const { pages } = JSON.parse(out) as Seen;
        for (const [page, [status, half]] of Object.entries(pages))
          assert.ok(half === "" && status < 500, `${page} without ${left}: ${status} ${half}`);
      } else if (expected === "boots") assert.match(err, /FW_\w+: .*plugins\.config\.ts/, `without ${left}: ${err}`);
      else assert.match(err, expected, `without ${left}`);
    }
    list(names);
  }, 600_000);
  it("Lists in any order boot to the same routes and the same pages", async () => {
    list(names);
    const first = await run();
    assert.is(first.code, 0, first.err);
    for (let seed = 1; seed <= 6; seed++) {
      list(seededShuffle(names, seed));
      const { code, out, err } = await run();
      assert.is(code, 0, err);
      const [expected, seen] = [JSON.parse(first.out) as Seen, JSON.parse(out) as Seen];
      assert.equal([...seen.routes].sort(), [...expected.routes].sort(), `seed ${seed}`);
      for (const [page, [status, half, text]] of Object.entries(expected.pages))
        assert.equal(seen.pages[page], [status, half, text], `${page}, seed ${seed}`);
    }
  });
});
