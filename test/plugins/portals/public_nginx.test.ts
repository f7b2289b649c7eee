import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { exitOf, freePort } from "../../support/processes.ts";
import { nginxPath } from "../../support/requirements.ts";
import { databaseOf } from "../../support/shop.ts";
import { openSubdomains, subdomainFiles } from "../scoping/subdomain_app.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { cat, engineWith, get, publicFiles } from "./public_app.ts";

// A portal of tenants' subdomains behind nginx, whose cache is configured in the shortest way: its key does not have the host name.

const reason = await reasonToSkip("nginx");
const AGE = 2;
const portal = "packages/guest_portal";
const files = {
  ...subdomainFiles,
  ...publicFiles,
  ...engineWith(`engine.allowPublicCache({ maxAge: ${AGE} });`, "subdomain"),
  [`${portal}/app/controllers/guest_portal/greetings_controller.ts`]: `import { BaseController } from "framewright";
    import Controller from "./concerns/controller.ts";
    export default class GreetingsController extends Controller(BaseController) {
      index() { this.flash.add("success", "Hello, you alone."); return this.redirectTo(this.helpers.posts_path!()); }
    }`,
  [`${portal}/config/routes.ts`]: edited(tenantFiles, `${portal}/config/routes.ts`, [
    'routes.root({ to: "dashboard#index" });',
    'routes.root({ to: "dashboard#index" }); routes.get("greetings", { to: "greetings#index" });',
  ]),
};
const configuration = (
  folder: string,
  port: number,
  to: string,
) => `${process.getuid?.() === 0 ? "user root;\n" : ""}daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/temp/${kind};`).join("\n  ")}
  proxy_cache_path ${folder}/cache keys_zone=pages:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${to};
      proxy_set_header Host $host;
      proxy_cache pages;
      proxy_cache_revalidate on;
      add_header x-cache $upstream_cache_status;
    }
  }
}
`;

describe("A public portal behind nginx's cache", (it, { before, after }) => {
  let app: TestApp;
  let nginx: ChildProcess;
  let url: string;
  const folder = mkdtempSync(join(tmpdir(), "fw-nginx-"));
  if (reason === undefined) {
    before(async () => {
      app = await openSubdomains(files, { COMPRESS: "on" });
      mkdirSync(join(folder, "temp"));
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, app.url));
      nginx = spawn(nginxPath, ["-c", join(folder, "nginx.conf"), "-p", folder], { stdio: "ignore" });
      for (let turn = 0; turn < 100 && !(await isUp()); turn++) await sleep(50);
    });
    after(async () => {
      nginx.kill("SIGTERM");
      await exitOf(nginx);
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    });
  }
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
  const at = (tenant: string, path: string, headers: Record<string, string> = {}) =>
    get({ url }, path, { host: `${tenant}.shop.example`, ...headers });
  const can = (sentence: string, story: () => Promise<void>) => it.unless(reason, sentence, story);
  const list = "/guest/posts";

  can("Guests are answered from the cache, and each tenant's have that tenant's pages", async () => {
    const first = await at("alpine", list);
    assert.equal([first.status, first.headers["x-cache"]], [200, "MISS"]);
    const again = await at("alpine", list);
    assert.equal([again.headers["x-cache"], again.text], ["HIT", first.text]);
    const other = await at("baltic", list);
    assert.is(other.headers["x-cache"], "MISS");
    assert.match(other.text, "Post Baltic");
    assert.not.match(other.text, "Alpine");
    assert.not.match((await at("alpine", list)).text, "Baltic");
  });

  can("A person who is signed in and a guest take turns, and neither sees what is the other's", async () => {
    for (const path of [`${list}?turn=1`, "/guest/posts/1"])
      for (const order of [
        [cat, {}, cat, {}],
        [{}, cat, {}, cat],
      ] as Record<string, string>[][])
        for (const headers of order) {
          const { headers: got, status } = await at("alpine", `${path}`, headers);
          assert.is(status, 200);
          if (headers === cat) assert.equal([got["cache-control"], got["x-cache"]], ["no-store", "MISS"], path);
          else assert.equal([got["set-cookie"], got["cache-control"]], [undefined, `public, max-age=${AGE}`], path);
        }
  });

  can("Cookies of ours are never answered from what guests were, nor kept for them", async () => {
    const path = `${list}?cookies`;
    await at("alpine", path);
    for (const cookie of ["fw_zone=Asia/Tokyo", "fw_session=x", "fw_locale=de", "a=b; fw_zone=Asia/Tokyo"]) {
      for (let turn = 0; turn < 2; turn++) {
        const { headers } = await at("alpine", path, { cookie });
        assert.equal([headers["x-cache"], headers["cache-control"]], ["MISS", "private, no-cache"], cookie);
      }
    }
    assert.is((await at("alpine", path)).headers["x-cache"], "HIT");
  });

  can("JSON, frames and encodings of one address are kept apart", async () => {
    const path = `${list}?kinds`;
    const kinds: Record<string, string>[] = [
      {},
      { accept: "application/json" },
      { "turbo-frame": "modal" },
      { "accept-encoding": "gzip" },
    ];
    const texts: string[] = [];
    for (const headers of kinds) texts.push((await at("alpine", path, headers)).text);
    for (const [index, headers] of kinds.entries()) {
      const again = await at("alpine", path, headers);
      assert.equal([again.headers["x-cache"], again.text], ["HIT", texts[index]], JSON.stringify(headers));
    }
    assert.is(new Set(texts).size, kinds.length);
    assert.is((await at("alpine", path, { authorization: "Bearer x" })).headers["x-cache"], "MISS");
  });

  can("A message is shown to its visitor alone", async () => {
    await at("alpine", list);
    const greeted = await at("alpine", "/guest/greetings");
    const cookie = [greeted.headers["set-cookie"] ?? []]
      .flat()
      .map((line) => line.split(";", 1)[0])
      .join("; ");
    assert.is(greeted.headers.location, list);
    assert.match((await at("alpine", list, { cookie })).text, "Hello, you alone.");
    for (let turn = 0; turn < 2; turn++) assert.not.match((await at("alpine", list)).text, "Hello");
    const again = await at("alpine", "/guest/greetings");
    assert.ok(again.headers["set-cookie"], "a redirect with a message is not kept");
  });

  can("What changed is there once the age has passed; what did not is confirmed by its tag", async () => {
    const path = `${list}?age`;
    const { headers, text } = await at("alpine", path);
    const known = await at("alpine", path, { "if-none-match": String(headers.etag) });
    assert.equal([known.status, known.headers["x-cache"]], [304, "HIT"]);
    assert.equal([(await at("alpine", path, { method: "HEAD" })).headers["x-cache"]], ["HIT"]);
    await sleep(AGE * 1000 + 1100);
    const same = await at("alpine", path);
    assert.equal([same.headers["x-cache"], same.text], ["REVALIDATED", text]);
    await databaseOf(app.application).knex("posts").where({ id: 1 }).update({ title: "Post Alpine, changed" });
    await sleep(AGE * 1000 + 1100);
    const changed = await at("alpine", path, { "if-none-match": String(headers.etag) });
    assert.equal([changed.status, changed.headers["x-cache"]], [200, "EXPIRED"]);
    assert.match(changed.text, "Post Alpine, changed");
  });
});
