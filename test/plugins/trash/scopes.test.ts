import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants } from "../scoping/tenants.ts";
import { trashFiles } from "./trash_app.ts";

const policy = "app/policies/post_policy.ts";

describe("Scopes of records with a trash", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    (globalThis as { heard?: string[] }).heard = [];
    const files = trashFiles();
    const hidden = files[policy]!.replaceAll('"deleted_at" as never, ', "");
    assert.not.match(hidden, "deleted_at");
    app = await openTenants({ ...files, [policy]: hidden });
  });
  after(async () => {
    await app?.close();
  });

  it("Are offered to who may read what they read, whether or not that is when records were deleted", async () => {
    const read = (accept: string) =>
      app.request("/customer/1/posts?scope=widest", { headers: { "x-user": "1", accept } });
    const answer = await read("application/json");
    assert.is(answer.status, 200, await answer.text());
    assert.match(await (await read("text/html")).text(), ">Widest</a>");
  });
});
