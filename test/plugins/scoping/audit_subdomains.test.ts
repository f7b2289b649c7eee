import { assert, describe } from "../../support/index.ts";
import { auditTenancy } from "../../testing/index.ts";
import { hosts, openSubdomains } from "./subdomain_app.ts";

/** Thousands of requests, on a machine that does other work. */
const DEADLINE_MS = 240_000;

describe("An audit of tenants by subdomain", (it) => {
  it(
    "Every route is covered, and nothing leaks",
    async () => {
      const app = await openSubdomains();
      await app.close();
      const values = {
        NODE_ENV: "test",
        SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
        ...hosts,
      };
      const report = await auditTenancy({ root: app.root, portal: "CustomerPortal", values });
      assert.equal(report.leaks, []);
      assert.equal(
        report.routes.filter(({ result }) => result === "not covered").map(({ route }) => route),
        [],
      );
      assert.ok(report.totals.requests > report.totals.routes * 10, `only ${report.totals.requests}`);
    },
    DEADLINE_MS,
  );
});
