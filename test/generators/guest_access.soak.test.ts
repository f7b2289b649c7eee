import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RouteInfo } from "framewright/host";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { fw, fwOk, newApp } from "./support.ts";

// What a guest, a wrong key, a member of another tenant and each kind of account can reach and write in portals of
// every kind, over scaffolds as they were generated. `said` is public too, and its own policy says that guests create.

const PASSWORD = "correct horse battery";
const portals = ["open", "said", "partner", "member", "admin", "customer"] as const;
type Portal = (typeof portals)[number];
const actors = ["guest", "wrong key", "right key", "member", "stranger", "admin"] as const;
type Actor = (typeof actors)[number];

type Access = "all" | "read" | "read, create" | "sign in" | "401" | "404";
/** The member belongs to the organization whose portal is asked, the stranger to another one. */
const table: Record<Portal, Record<Actor, Access>> = {
  open: { guest: "read", "wrong key": "read", "right key": "read", member: "read", stranger: "read", admin: "read" },
  said: {
    guest: "read, create",
    "wrong key": "read, create",
    "right key": "read, create",
    member: "read, create",
    stranger: "read, create",
    admin: "read, create",
  },
  partner: { guest: "401", "wrong key": "401", "right key": "all", member: "401", stranger: "401", admin: "401" },
  member: {
    guest: "sign in",
    "wrong key": "sign in",
    "right key": "sign in",
    member: "all",
    stranger: "all",
    admin: "sign in",
  },
  admin: {
    guest: "sign in",
    "wrong key": "sign in",
    "right key": "sign in",
    member: "sign in",
    stranger: "sign in",
    admin: "all",
  },
  customer: {
    guest: "sign in",
    "wrong key": "sign in",
    "right key": "sign in",
    member: "all",
    stranger: "404",
    admin: "sign in",
  },
};

type Format = "html" | "json";
const deeds = ["root", "index", "show", "new", "create", "edit", "update", "destroy"] as const;
type Deed = (typeof deeds)[number];
const writes: readonly Deed[] = ["create", "update", "destroy"];
const done: Record<Format, Record<Deed, number>> = {
  html: { root: 200, index: 200, show: 200, new: 200, create: 303, edit: 200, update: 303, destroy: 303 },
  json: { root: 200, index: 200, show: 200, new: 200, create: 201, edit: 200, update: 200, destroy: 204 },
};
function expectedStatus(access: Access, deed: Deed, format: Format): number {
  if (access === "401" || access === "404") return Number(access);
  if (access === "sign in") return format === "json" ? 401 : 303;
  const may =
    access === "all" ||
    ["root", "index", "show"].includes(deed) ||
    (access === "read, create" && ["new", "create"].includes(deed));
  return may ? done[format][deed] : 403;
}

async function generated(): Promise<string> {
  const app = await newApp("shop");
  const g = (...words: string[]) => fwOk(app, "g", ...words);
  await g("fw:res:scaffold", "Organization", "name:string");
  await g("fw:authlib:account", "user");
  await g("fw:authlib:account", "admin");
  await g("fw:res:scaffold", "Membership", "user:belongs_to", "organization:belongs_to");
  await g("fw:res:scaffold", "Post", "title:string", "organization:belongs_to");
  await g("fw:pkg:portal", "open", "--public");
  await g("fw:pkg:portal", "said", "--public");
  await g("fw:pkg:portal", "partner", "--byo");
  await g("fw:pkg:portal", "member", "--auth=user");
  await g("fw:pkg:portal", "admin", "--auth=admin");
  const scoped = await g("fw:pkg:portal", "customer", "--auth=user", "--scope=Organization");
  assert.match(scoped.out, /Nobody can enter CustomerPortal yet: .*app\/models\/user.ts.*organizations: hasMany/);
  await fwOk(app, "db:migrate");
  for (const portal of portals) {
    const { out } = await g("fw:res:conn", "Post", `--dest=${portal}_portal`, "--open");
    const isPublic = ["open", "said"].includes(portal);
    assert.is(/Guests of \w+Portal read each Post/.test(out), isPublic, `${portal}: ${out}`);
  }
  await g("fw:res:conn", "Organization", "Membership", "User", "--dest=partner_portal");
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(join(app, path), change(readFileSync(join(app, path), "utf8")));
  edit("packages/said_portal/app/policies/said_portal/post_policy.ts", (text) =>
    text.replace(/(extends ResourcePolicy\(.*\) \{\n)/, "$1  override canCreate() {\n    return true;\n  }\n"),
  );
  edit("app/models/user.ts", (text) =>
    text
      .replace(/import \{ /, "import { hasMany, ")
      .replace(
        /(class User extends .*\{\n)/,
        '$1  static override associations = { memberships: hasMany(), organizations: hasMany({ through: "memberships" }) };\n',
      ),
  );
  return app;
}

describe("The access of visitors to generated portals", (it, { before, after }) => {
  let root = "";
  let served: Awaited<ReturnType<typeof serveApp>>;
  before(async () => {
    root = await generated();
    for (const [account, name] of [
      ["user", "member"],
      ["user", "stranger"],
      ["admin", "admin"],
    ] as const)
      await createAccount(root, account, `${name}@x.test`);
    served = await serveApp(root, { NODE_ENV: "development", PARTNER_API_KEY: "the right key" });
    for (const name of ["Alpine", "Baltic"]) await made("organization", { name });
    for (const id of ["1", "2"]) await made("membership", { user: id, organization: id });
  });
  after(async () => {
    served.child.kill("SIGTERM");
    await exitOf(served.child);
  });

  /** Through the portal of partners, whose key it has. */
  const partner = { accept: "application/json", "content-type": "application/json", "x-api-key": "the right key" };
  async function made(name: string, values: Record<string, string>): Promise<number> {
    const init = { method: "POST", headers: partner, body: JSON.stringify({ [name]: values }) };
    const answer = await fetch(`${served.url}/partner/${name}s`, init);
    assert.is(answer.status, 201, await answer.clone().text());
    return ((await answer.json()) as { data: { id: number } }).data.id;
  }
  const stored = async () => {
    const { data } = (await (
      await fetch(`${served.url}/partner/posts?sort=-id&per_page=5`, { headers: partner })
    ).json()) as { data: object[] };
    return JSON.stringify(data);
  };

  const visitors = new Map<Actor, Client>();
  async function visitor(actor: Actor): Promise<Client> {
    const known = visitors.get(actor);
    if (known) return known;
    const client = new Client(served.url);
    if (actor === "member" || actor === "stranger" || actor === "admin") {
      const type = actor === "admin" ? "admins" : "users";
      await client.submit(`/${type}/login`, { login: `${actor}@x.test`, password: PASSWORD });
    }
    if (!actor.endsWith("key") && actor !== "guest") visitors.set(actor, client);
    return client;
  }
  const keyOf = (actor: Actor): Record<string, string> =>
    actor.endsWith("key") ? { "x-api-key": `the ${actor}` } : {};

  /** Where somebody is at home, who is out of place: forms of there are not what refuses them. */
  const home: Partial<Record<Actor, string>> = { member: "/member", stranger: "/member", admin: "/admin" };
  async function tokenOf(client: Client, actor: Actor, path: string): Promise<string | undefined> {
    const page = await client.request(path, { headers: { accept: "text/html", ...keyOf(actor) } });
    return /name="csrf-token" content="([^"]+)"/.exec(await page.text())?.[1];
  }

  /** Does one thing to a post that is made for it; says what came, and whether anything is stored otherwise. */
  async function act(portal: Portal, actor: Actor, deed: Deed, format: Format) {
    const client = await visitor(actor);
    const id = await made("post", { title: "Before", organization: "1" });
    const mount = portal === "customer" ? "/customer/1" : `/${portal}`;
    const accept = format === "json" ? "application/json" : "text/html";
    const token =
      (await tokenOf(client, actor, `${mount}/posts/new`)) ?? // a guest has one where there is a form
      (await tokenOf(client, actor, `${mount}/posts`)) ??
      (await tokenOf(client, actor, `${home[actor] ?? "/open"}/posts`));
    const path = {
      root: mount,
      index: `${mount}/posts`,
      new: `${mount}/posts/new`,
      create: `${mount}/posts`,
      edit: `${mount}/posts/${id}/edit`,
    }[deed as string];
    const method = { create: "POST", update: "PATCH", destroy: "DELETE" }[deed as string] ?? "GET";
    const fields = { title: "After", organization: "1" };
    const form = { _method: method, "post[title]": fields.title, "post[organization]": fields.organization };
    const body = format === "html" ? new URLSearchParams(form) : JSON.stringify({ post: fields });
    const before = await stored();
    const answer = await client.request(path ?? `${mount}/posts/${id}`, {
      method: format === "html" && method !== "GET" ? "POST" : method,
      headers: {
        accept,
        ...keyOf(actor),
        ...(token ? { "x-csrf-token": token } : {}),
        ...(method === "GET" || format === "html" ? {} : { "content-type": "application/json" }),
      },
      ...(method === "GET" ? {} : { body }),
    });
    return { answer, changed: (await stored()) !== before };
  }

  for (const portal of portals) {
    it(`Every kind of visitor gets the tabulated status for every action in the ${portal} portal, and no other write is stored`, async () => {
      for (const actor of actors)
        for (const format of ["html", "json"] as const)
          for (const deed of deeds) {
            if (format === "json" && ["root", "new", "edit"].includes(deed)) continue; // pages
            const where = `${actor}: ${deed} as ${format} in ${portal}`;
            const { answer, changed } = await act(portal, actor, deed, format);
            const wanted = expectedStatus(table[portal][actor], deed, format);
            assert.is(answer.status, wanted, where);
            assert.is(changed, writes.includes(deed) && wanted === done[format][deed] && answerIsDone(answer), where);
            if (answer.status === 401) assert.ok(answer.headers.get("www-authenticate"), where);
          }
    });
  }

  it("The routes that guests reach in portals are those of the public ones, with POST /said/posts as the only write", async () => {
    const routes = JSON.parse((await fwOk(root, "routes", "--json")).out) as RouteInfo[];
    const admitting = routes.filter(({ guests }) => guests !== "refuse");
    const inPortals = admitting.filter(({ engine }) => engine);
    assert.equal([...new Set(inPortals.map(({ engine }) => engine))].sort(), ["OpenPortal", "SaidPortal"]);
    assert.equal(
      inPortals.filter(({ guests }) => guests === "write").map(({ verb, path }) => `${verb} ${path}`),
      ["POST /said/posts"],
    );
    const onMain = admitting.filter(({ engine, guests }) => !engine && guests === "write");
    for (const { path } of onMain) assert.match(path, /^\/(users|admins)\//);
  });
  it("fw routes and fw doctor print what guests may do, without routes that policies refuse", async () => {
    const { out } = await fwOk(root, "routes");
    assert.match(out, /POST +\/said\/posts .* write +canCreate/);
    assert.match(out, /GET +\/open\/posts .* read +canIndex/);
    assert.match(out, /POST +\/open\/posts +\S* +\S+ +public +canCreate/);
    const doctor = (await fwOk(root, "doctor")).out;
    assert.match(doctor, /guests: .*OpenPortal.* admits? them; .*POST \/said\/posts/);
    assert.not.match(doctor, /POST \/open\/posts/);
    assert.match(doctor, "queries of all tenants: none found; looked for unscopedQuery");
  });
});

/** A redirect after a deed leads to the record or the list, one to a sign-in page elsewhere. */
const answerIsDone = (answer: Response) => !/\/login/.test(answer.headers.get("location") ?? "");

/** By the command, with the password on stdin. */
async function createAccount(cwd: string, account: string, email: string): Promise<void> {
  const words = [fw, "authlib:admin:create", email, "--password-stdin", `--account=${account}`];
  const env = { ...process.env, NODE_ENV: "development" };
  const child = spawn(process.execPath, words, { cwd, env, stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end(PASSWORD);
  assert.is(await new Promise((resolve) => child.once("close", resolve)), 0, email);
}
