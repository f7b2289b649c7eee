import { addPeople, databaseOf, openAccounts, PASSWORD } from "../plugins/authlib/accounts.ts";
import { openApp, type TestApp, writeApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";

/** A mode of authentication of one's own: a proxy checks client certificates, and says in a header whose it was. */
const mtls = `
import { timingSafeEqual } from "node:crypto";
import { AuthenticatedBy, type ControllerClass, HttpError, type RequestContext } from "framewright";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";

export interface Machine { readonly id: string; readonly name: string }
export interface MtlsOptions {
  /** What the proxy proves by that it is the proxy: it sets X-Proxy-Secret, and drops what clients send under that name. */
  secret: string;
}

/** For controllers of machines: \`concern(BaseController, Mtls)\`. Who has no certificate gets a 401. */
export function Mtls<B extends ControllerClass>(Base: B) {
  return class extends (AuthenticatedBy("mtls")(Base as ControllerClass) as ControllerClass) {
    override async findCurrentUser() {
      const machine = await super.findCurrentUser();
      if (!machine) throw new HttpError(401, "FW_UNAUTHORIZED", "bring a client certificate.");
      return machine;
    }
  };
}

/** Speaks for the mode "mtls": the certificate's common name is the machine. */
export function mtls(options: MtlsOptions): Plugin {
  checkOptions("mtls", options, { secret: option.string });
  return definePlugin({
    name: "mtls",
    requires: ["host"],
    apply({ services, hooks }) {
      services.host.authModes.add("mtls");
      hooks.kernel.authenticate.tapPromise("mtls", async (given) => {
        const request = given as RequestContext;
        if (request.authentication?.mode !== "mtls") return undefined;
        return isProxy(request, options.secret) ? machineOf(request) : null;
      });
    },
  });
}

function isProxy(request: RequestContext, secret: string): boolean {
  const [said, known] = [request.header("x-proxy-secret") ?? "", secret].map((text) => Buffer.from(text));
  return said!.length === known!.length && timingSafeEqual(said!, known!);
}
function machineOf(request: RequestContext): Machine | null {
  if (request.header("x-client-verify") !== "SUCCESS") return null;
  const name = /(?:^|,)CN=([\\w.-]+)(?:,|$)/.exec(request.header("x-client-subject") ?? "")?.[1];
  return name === undefined ? null : { id: name, name };
}
`;

/** Takes the hashing of passwords over: scrypt for new ones, while the old hashes still open. */
const scrypt = `
import { randomBytes, scrypt as derive, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { definePlugin, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/passwords";

const hash = promisify<string, Buffer, number, Buffer>(derive);
const read = (stored: string) => /^\\$scrypt\\$([\\w-]+)\\$([\\w-]+)$/.exec(stored)?.slice(1).map((part) => Buffer.from(part, "base64url"));

/** Decorates the hasher that is there: it requires the slot that it replaces. */
export const scrypt = (): Plugin =>
  definePlugin({
    name: "scrypt",
    requires: ["passwordHasher"],
    provides: "passwordHasher",
    replaces: true,
    apply: ({ services: { passwordHasher: before } }) => ({
      async hash(password) {
        const salt = randomBytes(16);
        return ["", "scrypt", salt.toString("base64url"), (await hash(password, salt, 32)).toString("base64url")].join("$");
      },
      async verify(password, stored) {
        const [salt, digest] = read(stored) ?? [];
        if (!salt || !digest) return before.verify(password, stored);
        return password !== "" && timingSafeEqual(await hash(password, salt, 32), digest);
      },
      needsRehash: (stored) => read(stored) === undefined,
    }),
  });
`;

const linesOf = (code: string) =>
  code
    .trim()
    .split("\n")
    .filter((line) => line.trim() !== "").length;

describe("A third-party plugin for client certificates", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const root = writeApp({
      "lib/mtls.ts": mtls,
      "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { mtls } from "./lib/mtls.ts";
        export default definePlugins([mtls({ secret: "the proxy's own secret" })]);`,
      "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => { routes.get("machines", { to: "machines#show" }); });`,
      "app/controllers/machines_controller.ts": `import { BaseController, concern } from "framewright"; import { Mtls } from "../../lib/mtls.ts";
        export default class MachinesController extends concern(BaseController, Mtls) { show() { return this.json(this.currentUser); } }`,
    });
    app = await openApp(root);
  });
  after(() => app.close());
  const proxy = { "x-proxy-secret": "the proxy's own secret", "x-client-verify": "SUCCESS" };
  const ask = async (headers: Record<string, string>) => {
    const answer = await app.request("/machines", { headers: { accept: "application/json", ...headers } });
    return { status: answer.status, body: (await answer.json()) as { name?: string } };
  };

  it("A plugin that authenticates by client certificates takes under 60 lines", () =>
    assert.ok(linesOf(mtls) < 60, `${linesOf(mtls)} lines`));
  it("A client certificate that the proxy verified identifies the machine, and the route lists the mode mtls", async () => {
    const { status, body } = await ask({ ...proxy, "x-client-subject": "CN=press-7,O=Shop" });
    assert.is(status, 200);
    assert.is(body.name, "press-7");
    assert.equal(
      app.application.routes().map(({ account }) => account),
      ["mtls"],
    );
  });
  it("A request without the proxy's secret, a verified certificate or a common name is 401", async () => {
    const subject = { "x-client-subject": "CN=press-7,O=Shop" };
    for (const headers of [
      {},
      subject,
      { ...subject, "x-client-verify": "SUCCESS" },
      { ...proxy, ...subject, "x-proxy-secret": "guessed" },
      { ...proxy, ...subject, "x-client-verify": "FAILED" },
      { ...proxy, "x-client-subject": "O=Shop" },
    ])
      assert.is((await ask(headers as Record<string, string>)).status, 401, JSON.stringify(headers));
  });
});

describe("A third-party plugin for password hashes", (it) => {
  it("A password hasher of under 40 lines makes new hashes, accepts old ones and replaces them at the next sign-in", async () => {
    assert.ok(linesOf(scrypt) < 40, `${linesOf(scrypt)} lines`);
    const features = "login(), logout()";
    const standard = await openAccounts({ user: { features } });
    await addPeople(standard, "user", "ann@example.test");
    const { password_hash } = await databaseOf(standard.application).knex("user_password_hashes").first();
    await standard.close();
    const app = await openAccounts(
      { user: { features } },
      {
        files: { "lib/scrypt.ts": scrypt },
        plugins: { imports: `import { scrypt } from "./lib/scrypt.ts";`, list: "scrypt()," },
      },
    );
    try {
      await addPeople(app, "user", "ann@example.test", "bob@example.test");
      const { knex } = databaseOf(app.application);
      await knex("user_password_hashes").where({ account_id: 1 }).update({ password_hash });
      const hashes = async () =>
        (await knex("user_password_hashes").orderBy("id")).map((row) => String(row.password_hash).slice(0, 8));
      assert.equal(await hashes(), ["$argon2i", "$scrypt$"]);
      const signIn = async (login: string, password: string) => {
        const headers = { "content-type": "application/json", accept: "application/json" };
        return (
          await app.request("/users/login", { method: "POST", headers, body: JSON.stringify({ login, password }) })
        ).status;
      };
      for (const login of ["ann@example.test", "bob@example.test"]) {
        assert.is(await signIn(login, "not it, not at all"), 401);
        assert.is(await signIn(login, PASSWORD), 200);
      }
      assert.equal(await hashes(), ["$scrypt$", "$scrypt$"]);
      assert.is(await signIn("ann@example.test", PASSWORD), 200);
      assert.is(await signIn("ann@example.test", "not it, not at all"), 401);
    } finally {
      await app.close();
    }
  });
});
