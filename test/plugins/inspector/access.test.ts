import { inspector } from "framewright/plugins/inspector";
import type { TestApp } from "../../support/apps.ts";
import { openApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { development, openInspected, statusOf, textOf } from "./support.ts";

const production = {
  NODE_ENV: "production",
  LOG_LEVEL: "silent",
  SECRET_KEY_BASE: "3fA9c0d1e2B4586790a7bCdEf1234567890aBcDeF",
};
const reopened = async (app: TestApp, values: Record<string, string>): Promise<TestApp> => {
  await app.close();
  return openApp(app.root, { values });
};

describe("Who sees /_fw", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openInspected({ ALLOWED_HOSTS: "shop.example,localhost,127.0.0.1" });
  });
  after(() => app.close());

  it("It is there for names of this machine, and for another Host, a proxy or another method there is nothing", async () => {
    const { port } = new URL(app.url);
    assert.is(await statusOf(`${app.url}/_fw`, { host: `localhost:${port}` }), 200);
    assert.is(await statusOf(`${app.url}/_fw`, { host: "shop.example" }), 404, "DNS rebinding");
    assert.is(await statusOf(`${app.url}/admin`, { host: "shop.example" }), 200);
    for (const header of ["x-forwarded-for", "forwarded", "x-real-ip"])
      assert.is(await statusOf(`${app.url}/_fw`, { [header]: "192.0.2.1" }), 404, header);
    assert.is((await app.request("/_fw", { method: "POST" })).status, 404);
    assert.is((await app.request("/_fw.json")).status, 404);
    assert.is((await app.request("/_fw", { method: "HEAD" })).status, 200);
  });

  it("A client of another machine gets nothing of it", async () => {
    const from = (remoteAddress: string) =>
      app.application.answer({
        ...{ method: "GET", url: "/_fw", headers: { host: "localhost" }, rawHeaders: ["host", "localhost"] },
        socket: { remoteAddress },
      } as never);
    assert.is((await from("127.0.0.1")).status, 200);
    for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "fe80::1"]) assert.is((await from(address)).status, 404);
  });

  it("Its pages open no session, set no cookie, are not recorded, and are stored nowhere", async () => {
    const answer = await app.request("/_fw");
    assert.is(answer.headers.get("set-cookie"), null);
    assert.is(answer.headers.get("cache-control"), "no-store");
    assert.is(answer.headers.get("x-fw-request"), null);
    assert.not.match(textOf(await (await app.request("/_fw")).text()), "GET /_fw");
    assert.is((await app.request("/_fw/requests/999")).status, 404);
    assert.match(await (await app.request("/_fw/requests/999")).text(), "no longer stored");
  });

  it("1,000 requests keep the latest 100", async () => {
    for (let turn = 0; turn < 100; turn++)
      await Promise.all(Array.from({ length: 10 }, (_, index) => app.request(`/fine/${turn}-${index}`)));
    const page = await (await app.request("/_fw")).text();
    assert.is(page.match(/href="\/_fw\/requests\/\d+"/g)?.length, 100);
    assert.not.match(page, "/fine/1-1<");
    assert.match(page, "/fine/99-");
  });

  it("In production and in test nothing of it is there, though the application lists it", async () => {
    for (const values of [production, { ...development, NODE_ENV: "test" }]) {
      app = await reopened(app, values as Record<string, string>);
      const { application } = app;
      assert.is(application.kernel.service("inspector").path, undefined);
      assert.equal(
        application.kernel.taps().filter(({ plugin }) => plugin === "inspector"),
        [],
      );
      const headers = { host: "localhost" };
      assert.is(await statusOf(`${app.url}/_fw`, headers), 404);
      assert.is(await statusOf(`${app.url}/_fw/requests/1`, headers), 404);
      assert.is((await app.request("/admin/blogging/posts")).headers.get("x-fw-request"), null);
      assert.equal(application.logListeners, []);
      assert.not(application.tracksOrigins);
    }
  });

  it("Wrong options are refused by name", async () => {
    await throwsCode("FW_OPTION_INVALID", () => inspector({ requests: 0 }));
    await throwsCode("FW_OPTION_UNKNOWN", () => inspector({ request: 5 } as never));
  });
});
