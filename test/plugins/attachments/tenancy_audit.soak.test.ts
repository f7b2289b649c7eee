import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { audit, leaking } from "../scoping/audit_apps.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { attachmentFiles, configWith } from "./attachments_app.ts";

const definition = "app/definitions/shipment_definition.ts";
const routes = "packages/customer_portal/config/routes.ts";
/** With one resource alone, so that there are few routes. */
const small = edited(attachmentFiles, routes, [/\[[^\]]*Shipment\]/, "[Shipment]"]);
const controller = "packages/customer_portal/app/controllers/customer_portal/shipments_controller.ts";
const files: Record<string, string> = {
  ...tenantFiles,
  ...attachmentFiles,
  [routes]: small,
  "plugins.config.ts": configWith("printing()", "printing"),
  [definition]: edited(
    attachmentFiles,
    definition,
    ["import type {}", 'import type {} from "framewright/plugins/printing";\nimport type {}'],
    ["super.configure();", 'super.configure();\n  this.printPage("sheet");'],
  ),
};
const below = "GET /customer/:organization_id/shipments/:id";
const served = [
  `${below}/files/:file_field`,
  `${below}/files/:file_field/:file_number`,
  `${below}/files/:file_field/:file_number/:file_size`,
  `${below}/print/:print_key`,
];

describe("An audit of tenants whose records have files and pages for paper", (it) => {
  it("Reaches them in the own tenant, and finds no leak", async () => {
    const report = await audit(files, { portal: "CustomerPortal" });
    const results = served.map((one) => report.routes.find(({ route }) => route === one)?.result);
    assert.equal([report.leaks, results], [[], served.map(() => "ok")]);
  });
  it("Finds files that are served across tenants", async () => {
    const report = await audit(
      {
        ...files,
        [controller]: `import Shipment from "#app/models/shipment.ts";
          import ResourceController from "./resource_controller.ts";
          export default class ShipmentsController extends ResourceController {
            override async findRecord() { return (await this.unscopedQuery(Shipment).findById(Number(this.request.routeParams.id))) as never; } }`,
      },
      { portal: "CustomerPortal" },
    );
    for (const route of served.slice(0, 2)) assert.ok(leaking(report).includes(route), route);
  });
});
