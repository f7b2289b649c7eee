import { jobTables } from "framewright/testing";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { hooksOf, optionsOf } from "./webhooks_app.ts";

/** People are known by a header of each request, and the tables are missing. */
const files = {
  ...tenantFiles,
  ...jobTables(),
  "plugins.config.ts": withPlugin(
    withPlugin(tenantFiles["plugins.config.ts"]!, "jobs({ run: false })", "jobs"),
    `webhooks(${optionsOf().replace("currentUser?.manages", "currentUser")})`,
    "webhooks",
  ),
};

describe("Webhooks that can't work", (it) => {
  it("Who is not let in by a job gets none, and doctor names the migration that is missing", async () => {
    const app = await openTenants(files);
    try {
      const headers = { "x-user": "1", accept: "application/json", "content-type": "application/json" };
      const body = JSON.stringify({ url: "https://receiver.example/", events: ["post.created"] });
      const refused = await app.request(hooksOf(), { method: "POST", headers, body });
      assert.is(refused.status, 409);
      assert.match(await refused.text(), "Sign in with an account of your own");
      const guest = await app.request(hooksOf(), { headers: { accept: "application/json" } });
      assert.is(guest.status, 401);
      const findings: { what: string; ok: boolean; detail: string }[] = [];
      await app.application.hooks.examine.promise(findings);
      const { ok, detail } = findings.find(({ what }) => what === "webhooks")!;
      assert.is(ok, false);
      assert.match(detail, "fw generate fw:install webhooks");
    } finally {
      await app.close();
    }
  });
});
