import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const admin = "packages/admin_portal";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const posts = "/admin/blogging/posts";
/** A portal that only who is signed in may enter, and where nobody changes posts. */
const files = {
  [`${admin}/app/controllers/admin_portal/concerns/controller.ts`]: `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController } from "framewright/plugins/portals";
    export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, CurrentUser(async (request) => (request.header("x-user") === undefined ? undefined : { id: 1, name: "Somebody" })));`,
  [policy]: `${shopFiles[policy]}\nObject.assign(PostPolicy.prototype, { canUpdate: () => false, canShow: () => { throw new Error("no such shelf"); } });`,
};

describe("Pages of errors in a portal", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openShop(files);
    const stamps = { created_at: new Date(), updated_at: new Date() };
    await databaseOf(app.application)
      .knex("blogging_posts")
      .insert({ id: 1, title: "Hello", ...stamps });
  });
  after(() => app.close());
  const page = async (path: string, { headers = {}, ...init }: RequestInit = {}) => {
    const answer = await app.request(path, { ...init, headers: { accept: "text/html", "x-user": "1", ...headers } });
    return { status: answer.status, cache: answer.headers.get("cache-control"), text: await answer.text() };
  };

  it("What is not there is said inside of the portal, with a way back to the list", async () => {
    const missing = await page(`${posts}/999`);
    assert.is(missing.status, 404);
    assert.is(missing.cache, "no-store");
    assert.match(missing.text, '<p class="fw-error-status" aria-hidden="true">404</p>');
    assert.match(missing.text, /class="fw-nav-link" href="\/admin\/blogging\/posts" aria-current="page"/);
    assert.match(missing.text, new RegExp(`href="${posts}">.*Back to Posts`));
  });
  it("An unknown page below the portal is 404 inside of it for who has a session, and a bare 404 for others", async () => {
    const opened = await app.request(`${posts}/new`, { headers: { accept: "text/html", "x-user": "1" } });
    const cookie = opened.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    for (const path of ["/admin/nothing", `${posts}/1/nothing/here`]) {
      const known = await page(path, { headers: { cookie } });
      assert.is(known.status, 404);
      assert.match(known.text, "fw-sidebar");
      assert.match(known.text, /href="\/admin">.*Back to Admin/s);
      const other = await page(path);
      assert.is(other.status, 404);
      assert.not.match(other.text, "fw-sidebar");
      const program = await app.request(path, { headers: { accept: "application/json", "x-user": "1", cookie } });
      assert.is(program.status, 404);
      assert.match(program.headers.get("content-type")!, "application/problem+json");
      const sent = await app.request(path, { method: "POST", headers: { "x-user": "1", cookie } });
      assert.is(sent.status, 404);
    }
    assert.is((await page("/nowhere", { headers: { cookie } })).status, 404);
  });
  it("What may not be done is said inside of the portal", async () => {
    const refused = await page(`${posts}/1/edit`);
    assert.is(refused.status, 403);
    assert.match(refused.text, "fw-sidebar");
    assert.match(refused.text, "Back to Posts");
  });
  it("A form that does not belong to the session is said inside of the portal, to guests alone, and changes nothing", async () => {
    const body = new URLSearchParams({ _csrf: "forged", "blogging_post[title]": "Forged" });
    const refused = await page(posts, { method: "POST", body });
    assert.is(refused.status, 403);
    assert.match(refused.text, "This page was open for too long");
    assert.match(refused.text, "fw-sidebar");
    const guest = await app.request(posts, { method: "POST", body, headers: { accept: "text/html" } });
    assert.ok([303, 401, 403].includes(guest.status), String(guest.status));
    assert.not.match(await guest.text(), "fw-sidebar");
    assert.equal(await databaseOf(app.application).knex("blogging_posts").select("title"), [{ title: "Hello" }]);
  });
  it("A failure is said inside of the portal, and tells nothing of its cause", async () => {
    const failed = await page(`${posts}/1`);
    assert.is(failed.status, 500);
    assert.match(failed.text, "fw-sidebar");
    assert.not.match(failed.text, "no such shelf");
  });
  it("Who was not let in, and a Turbo frame, get the page of the error alone", async () => {
    const guest = await app.request(`${posts}/999`, { headers: { accept: "text/html" } });
    const text = await guest.text();
    assert.ok(guest.status >= 300 && guest.status < 500, String(guest.status));
    assert.not.match(text, "fw-sidebar");
    const framed = await page(`${posts}/999`, { headers: { "turbo-frame": "modal" } });
    assert.is(framed.status, 404);
    assert.not.match(framed.text, "fw-sidebar");
  });
  it("JSON has problem details", async () => {
    const answer = await page(`${posts}/999`, { headers: { accept: "application/json" } });
    assert.is(JSON.parse(answer.text).status, 404);
  });
});
