import { randomBytes } from "node:crypto";
import { openApplication, readSettings } from "framewright";
import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe, throwsCode } from "../support/index.ts";

const config = `import { definePlugins } from "framewright/kernel"; export default definePlugins([]);`;
const page = `import { BaseController } from "framewright"; export default class PagesController extends BaseController { static override guests = "admit" as const; show() { return this.json({}); } }`;
const routes = (body: string) =>
  `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => { ${body} });`;

async function failsWith(code: string, files: Record<string, string>): Promise<Error> {
  return throwsCode(code, async () => (await bootApp({ "plugins.config.ts": config, ...files })).close());
}

describe("Loading an application", (it) => {
  it("Classes are found by their paths in the application and its packages, and a misspelled name gets a suggestion", async () => {
    const app: TestApp = await bootApp({
      "plugins.config.ts": config,
      "app/controllers/pages_controller.ts": page,
      "packages/blogging/app/interactions/blogging/publish_post.ts": "export default class PublishPost {}",
      "packages/blogging/app/controllers/blogging/concerns/loud.ts": "export const loud = true;",
    });
    const { constants } = app.application;
    assert.is(
      constants.get("Blogging::PublishPost").file,
      "packages/blogging/app/interactions/blogging/publish_post.ts",
    );
    assert.is(constants.has("PagesController"), true);
    assert.is(constants.has("Blogging::Concerns::Loud"), false);
    const error = await throwsCode("FW_CONSTANT_UNKNOWN", () => constants.get("Blogging::PublishPots"));
    assert.match(error.message, /Did you mean "Blogging::PublishPost"/);
    await app.close();
  });
  it("FW_CONSTANT_TAKEN names both files that define one constant", async () => {
    const files = {
      "app/policies/thing.ts": "export default class A {}",
      "app/definitions/thing.ts": "export default class B {}",
    };
    const error = await failsWith("FW_CONSTANT_TAKEN", files);
    assert.match(error.message, /app\/definitions\/thing\.ts and app\/policies\/thing\.ts both define Thing/);
  });
  it("FW_IMPORT_RING prints the cycle of files that import each other", async () => {
    const error = await failsWith("FW_IMPORT_RING", {
      "app/models/org.ts": `import Setup from "../wizards/setup.ts"; export default class Org { static setup = Setup; }`,
      "app/wizards/setup.ts": `import Org from "../models/org.ts"; export default class Setup extends Org {}`,
    });
    assert.match(error.message, /app\/models\/org\.ts -> app\/wizards\/setup\.ts -> app\/models\/org\.ts/);
  });
  it("Loading fails with FW_FILE_EXPORT for a file without its export and with FW_FILE_FAILED for one that throws", async () => {
    assert.match(
      (await failsWith("FW_FILE_EXPORT", { "app/models/org.ts": "export class Org {}" })).message,
      /app\/models\/org\.ts/,
    );
    assert.match(
      (await failsWith("FW_FILE_EXPORT", { "config/routes.ts": "export default 5;" })).message,
      /drawRoutes/,
    );
    assert.match(
      (await failsWith("FW_FILE_EXPORT", { "packages/a_portal/lib/engine.ts": "export const A = 1;" })).message,
      /definePortal/,
    );
    assert.match(
      (await failsWith("FW_FILE_FAILED", { "app/models/org.ts": "throw new Error('broken');" })).message,
      /app\/models\/org\.ts.*broken/,
    );
  });
  it("FW_FILE_FAILED names the file that throws, and not the file that imports it", async () => {
    const error = await failsWith("FW_FILE_FAILED", {
      "app/controllers/pages_controller.ts": `import Setup from "../wizards/setup.ts"; ${page} void Setup;`,
      "app/wizards/setup.ts": "export default class Setup { static steps = [].at(0).length; }",
    });
    assert.match(error.message, /FW_FILE_FAILED: app\/wizards\/setup\.ts could not be loaded/);
  });
  it("Files of a built application run once each, in the order of their paths, and one that fails is named with its reason", async () => {
    const ran: string[] = [];
    (globalThis as { ran?: string[] }).ran = ran;
    const model = (name: string, rest = "") =>
      `globalThis.ran.push("${name}"); export default class ${name} {} ${rest}`;
    const files = {
      "app/models/a.js": model("A"),
      "app/models/b.js": `import A from "./a.js"; ${model("B")}`,
      "app/policies/a_policy.js": model("APolicy"),
    };
    const app = await bootApp({ "plugins.config.ts": config, ...files });
    assert.equal(ran.splice(0), ["A", "B", "APolicy"]);
    assert.is(app.application.constants.get("B").file, "app/models/b.ts");
    await app.close();
    const throwing = { ...files, "app/models/b.js": model("B", `throw new Error("no B");`) };
    assert.match((await failsWith("FW_FILE_FAILED", throwing)).message, /app\/models\/b\.ts could not.*no B/);
    assert.equal(ran.splice(0), ["A", "B", "APolicy"]);
    const ring = { "app/models/a.js": `import B from "./b.js"; ${model("A", "export const b = B;")}` };
    const last = {
      "app/models/b.js": `import A from "./a.js"; globalThis.ran.push("B"); export default class B extends A {}`,
    };
    const error = await failsWith("FW_IMPORT_RING", { ...ring, ...last });
    assert.match(error.message, /app\/models\/a\.js -> app\/models\/b\.js -> app\/models\/a\.js/);
    const typo = { ...files, "app/policies/a_policy.js": "export default clas" };
    assert.match((await failsWith("FW_FILE_FAILED", typo)).message, /app\/policies\/a_policy\.ts could not/);
  });
  it("Opening fails with FW_APP_ROOT outside of an application, and with FW_OPEN_TWICE a second time in one process", async () => {
    const settings = readSettings({ root: "/", values: { NODE_ENV: "test", SECRET_KEY_BASE: "s".repeat(40) } });
    assert.match((await throwsCode("FW_APP_ROOT", () => openApplication({ root: "/", settings }))).message, /fw new/);
    const app = await bootApp({ "plugins.config.ts": config });
    await throwsCode("FW_OPEN_TWICE", () => bootApp({ "plugins.config.ts": config }));
    await app.close();
  });
  it("Unknown macros and route names fail with a suggestion, and a missing route argument fails by its name", async () => {
    const files = { "app/controllers/pages_controller.ts": page };
    const word = {
      ...files,
      "config/routes.ts": routes("(routes as never as { registerResource(x: unknown): void }).registerResource(1);"),
    };
    assert.match(
      (await failsWith("FW_WORD_UNKNOWN", word)).message,
      /config\/routes\.ts calls "registerResource".*resources\(\)/,
    );
    const app = await bootApp({
      "plugins.config.ts": config,
      ...files,
      "config/routes.ts": routes(`routes.get("pages/:id", { to: "pages#show", as: "page" });`),
    });
    const { paths } = app.application;
    assert.match(
      (await throwsCode("FW_ROUTE_UNKNOWN", () => paths.path(undefined, "pag"))).message,
      /Did you mean "page"/,
    );
    assert.match((await throwsCode("FW_ROUTE_ARGUMENT", () => paths.path(undefined, "page"))).message, /"id"/);
    assert.is(paths.path(undefined, "page", [{ id: "a/b", q: [1, 2] }]), "/pages/a%2Fb?q%5B%5D=1&q%5B%5D=2");
    await app.close();
  });
});

describe("Settings", (it) => {
  const read = (values: Record<string, string>) =>
    readSettings({ root: "/", values: { SECRET_KEY_BASE: "s".repeat(40), ...values } });
  it("Missing, invalid and weak settings are refused by name, and secret values are never quoted", async () => {
    await throwsCode("FW_SETTING_MISSING", () => readSettings({ root: "/", values: {} }));
    const short = await throwsCode("FW_SETTING_INVALID", () => read({ SECRET_KEY_BASE: "marked-secret" }));
    assert.is(short.message.includes("marked-secret"), false);
    const url = await throwsCode("FW_SETTING_INVALID", () => read({ DATABASE_URL: "//u:marked-secret@h/d" }));
    assert.is(url.message.includes("marked-secret"), false);
    assert.match((await throwsCode("FW_SETTING_INVALID", () => read({ PORT: "eighty" }))).message, /PORT/);
    for (const weak of [
      "a".repeat(32),
      "a".repeat(4000),
      "ab".repeat(20),
      "password".repeat(4),
      "changeme-changeme-changeme-changeme",
      "0123456789abcdef".repeat(4),
      "abcdefghijklmnopqrstuvwxyz0123456789",
      "Zk3p-my-application-secret-Qw81xTr9v-7uYb",
    ]) {
      const production = { NODE_ENV: "production", APP_URL: "https://shop.example" };
      const error = await throwsCode("FW_SETTING_INVALID", () => read({ ...production, SECRET_KEY_BASE: weak }));
      assert.match(error.message, /SECRET_KEY_BASE.*random.*fw secret/);
      const strong = { ...production, SECRET_KEY_BASE: randomBytes(32).toString("hex") };
      await throwsCode("FW_SETTING_INVALID", () => read({ ...strong, SECRET_KEY_BASE_PREVIOUS: weak }));
      assert.is(read(strong).env, "production");
      assert.is(read({ SECRET_KEY_BASE: weak }).secrets[0], weak, "a machine of one's own may have any");
    }
    assert.match((await throwsCode("FW_SETTING_INVALID", () => read({ NODE_ENV: "staging" }))).message, /NODE_ENV/);
    assert.match((await throwsCode("FW_SETTING_INVALID", () => read({ APP_URL: "shop" }))).message, /APP_URL/);
  });
  it("The server listens on 127.0.0.1 unless HOST is set", () => {
    assert.is(read({}).host, "127.0.0.1");
    assert.is(read({ NODE_ENV: "production", SECRET_KEY_BASE: randomBytes(32).toString("hex") }).host, "127.0.0.1");
    assert.is(read({ HOST: "" }).host, "127.0.0.1");
    assert.is(read({ HOST: "0.0.0.0" }).host, "0.0.0.0");
  });
  it("SECRET_KEY_BASE_PREVIOUS adds a previous secret, and an https APP_URL makes cookies secure", () => {
    const settings = read({ SECRET_KEY_BASE_PREVIOUS: "p".repeat(32), APP_URL: "https://shop.example" });
    assert.equal(settings.secrets, ["s".repeat(40), "p".repeat(32)]);
    assert.is(settings.secureCookies, true);
  });
});
