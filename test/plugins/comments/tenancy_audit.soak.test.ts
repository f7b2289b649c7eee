import { writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { openMigrated } from "../../support/shop.ts";
import { auditTenancy } from "../../testing/index.ts";
import { secret } from "../scoping/audit_apps.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { commentFiles } from "./comments_app.ts";

const DEADLINE_MS = 240_000;

describe("An audit of an application with comments", (it) => {
  it(
    "No tenant meets anything of another, in comments, their followers and the people that they may name either",
    async () => {
      const root = writeApp({ ...tenantFiles, ...commentFiles });
      await (await openMigrated(root, secret)).close();
      const report = await auditTenancy({ root, portal: "CustomerPortal", values: secret });
      assert.equal(
        report.leaks.filter(({ route }) => /_comments|panels|history/.test(route)),
        [],
      );
      const tried = report.routes.filter(({ route }) => route.includes("/posts/:id/_comments"));
      assert.ok(tried.length >= 7, tried.map(({ route }) => route).join("\n"));
      assert.equal(
        tried.filter(({ route, result }) => result !== "ok" && !route.includes(":comment_key")), // there is no comment to name
        [],
      );
    },
    DEADLINE_MS,
  );
});
