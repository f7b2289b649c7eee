import { request as httpRequest } from "node:http";
import { addFiles, type TestApp, writeApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { databaseOf, openMigrated, shopFiles } from "../../support/shop.ts";

const posts = "packages/admin_portal/app/controllers/admin_portal/blogging/posts_controller.ts";
const listed: Record<string, string> = {
  "plugins.config.ts": edited(
    shopFiles,
    "plugins.config.ts",
    [
      `import { layout } from "framewright/plugins/layout";`,
      `import { inspector } from "framewright/plugins/inspector"; import { layout } from "framewright/plugins/layout";`,
    ],
    ["resources(),\n]", "resources(), inspector()]"],
  ),
};
const files: Record<string, string> = {
  ...listed,
  [posts]: edited(
    shopFiles,
    posts,
    ["  report() {", "  async report() {"],
    [
      `return this.json({ report: true });`,
      `const Post = (await import("#packages/blogging/app/models/blogging/post.ts")).default;
       const Author = (await import("#app/models/author.ts")).default;
       const names = [];
       for (const post of await this.query(Post)) names.push((await this.query(Author).findById(post.author_id as number))?.name);
       return this.json({ names });`,
    ],
  ),
  "config/routes.ts": edited(shopFiles, "config/routes.ts", [
    `routes.mount(`,
    `for (const name of ["boom", "slow", "logs", "fine/:turn"]) routes.get(name, { to: "probes#" + name.split("/")[0] });
     routes.post("boom", { to: "probes#boom", csrf: "none" });
     routes.get("join/:token", { to: "probes#logs" });
     routes.mount(`,
  ]),
  "app/controllers/probes_controller.ts": `import { BaseController } from "framewright";
    import Author from "#app/models/author.ts";
    export default class ProbesController extends BaseController {
      static override readonly guests = "admit";
      boom() { throw new Error("it broke with " + this.params.get("password"), { cause: new Error("the cause") }); }
      async slow() {
        const database = this.request.kernel.service("database");
        const name = String(this.params.get("name"));
        for (let turn = 0; turn < 5; turn++) {
          await database.transaction(async (trx) => { await database.query(Author, trx).where("name", name + turn); });
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        await database.insert(Author, { name, email: name + "@example.com" });
        this.request.application.log.warn("slow for " + name);
        return this.json({ name });
      }
      fine() { return this.head(204); }
      logs() { this.request.application.log.warn("careful with " + this.request.cookies.mine); return this.head(204); }
    }`,
};

export const development = { NODE_ENV: "development", LOG_LEVEL: "warn" };

/** A shop in development with an inspector, three posts and two authors. */
export async function openInspected(values: Record<string, string> = {}): Promise<TestApp> {
  const root = writeApp({ ...shopFiles });
  addFiles(root, files);
  const app = await openMigrated(root, { ...development, ...values });
  const database = databaseOf(app.application);
  const add = (model: string, values: object) => database.insert(database.model(model).class, values);
  for (const name of ["Ada", "Ben"]) await add("Author", { name, email: `${name.toLowerCase()}@example.com` });
  for (const [index, title] of ["First", "Second", "Kept", "Fourth"].entries())
    await add("Blogging::Post", { title, author_id: (index % 2) + 1, secret_token: "hush-hush" });
  return app;
}

/** A page's text without its tags, with single spaces. */
export const textOf = (page: string): string =>
  page
    .replace(/<(script|style)\b.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

/** The page of what the request did that was answered with this. */
export async function pageOf(app: TestApp, answer: Response): Promise<string> {
  const path = answer.headers.get("x-fw-request");
  if (path === null) throw new Error(`the answer ${answer.status} names no page`);
  return textOf(await (await app.request(path)).text());
}

/** The status of a request with headers that fetch does not send, as another Host. */
export function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}
