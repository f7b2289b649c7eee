import { writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { openMigrated } from "../../support/shop.ts";
import { auditTenancy } from "../../testing/index.ts";
import { permitFiles } from "../resources/permits_app.ts";
import { secret } from "./audit_apps.ts";

const DEADLINE_MS = 240_000;

describe("An audit of hidden columns", (it) => {
  it(
    "Nothing hidden is found",
    async () => {
      const root = writeApp({ ...permitFiles });
      await (await openMigrated(root)).close();
      const t = performance.now();
      const report = await auditTenancy({ root, portal: "PublicPortal", values: secret });
      console.log(performance.now() - t, report.totals, report.uncovered, report.routes.filter(({result})=>result!=="ok" && result!=="refused"));
      console.log([...new Set(report.leaks.map(l=>l.route+" ["+l.as+"] "+l.attempt+" "+l.url+" :: "+l.what))].slice(0,40).join("\n"));
      assert.equal(report.leaks.length, 0);
    },
    DEADLINE_MS,
  );
});
