import { writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { openMigrated } from "../../support/shop.ts";
import { auditTenancy } from "../../testing/index.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { trashFiles } from "./trash_app.ts";

const DEADLINE_MS = 240_000;
const values = {
  NODE_ENV: "test",
  SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
};

describe("An audit of an application with a trash", (it) => {
  it(
    "No tenant meets anything of another, on the pages of the trash either",
    async () => {
      (globalThis as { heard?: string[] }).heard = [];
      const root = writeApp({ ...tenantFiles, ...trashFiles() });
      await (await openMigrated(root, values)).close();
      const report = await auditTenancy({ root, portal: "CustomerPortal", values });
      assert.equal(
        report.leaks.filter(({ route }) => /trash/.test(route)),
        [],
      );
      const ofTrash = report.routes.filter(({ route }) => /trash/.test(route));
      assert.equal(
        ofTrash
          .map(({ route, result }) => [route, result])
          .sort(([a], [b]) => a!.split("/")[3]!.localeCompare(b!.split("/")[3]!)),
        ["comments", "posts"].flatMap((name) => [
          [`GET /customer/:organization_id/${name}/trash`, "ok"],
          [`POST /customer/:organization_id/${name}/trash`, "ok"],
          [`POST /customer/:organization_id/${name}/trash/:trash_ids/restore`, "ok"],
        ]),
      );
    },
    DEADLINE_MS,
  );
});
