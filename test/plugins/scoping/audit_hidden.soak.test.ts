import { writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { openMigrated } from "../../support/shop.ts";
import { auditTenancy } from "../../testing/index.ts";
import { permitFiles } from "../resources/permits_app.ts";
import { secret } from "./audit_apps.ts";

const DEADLINE_MS = 240_000;

describe("An audit of a portal that hides columns and records", (it) => {
  it(
    "Every route is covered, nothing hidden shows, and nothing is left out",
    async () => {
      const root = writeApp({ ...permitFiles });
      await (await openMigrated(root)).close();
      const report = await auditTenancy({ root, portal: "PublicPortal", values: secret });
      assert.equal(report.leaks, []);
      assert.equal(report.uncovered, []);
      assert.is(report.totals.covered, report.totals.routes);
    },
    DEADLINE_MS,
  );
});
