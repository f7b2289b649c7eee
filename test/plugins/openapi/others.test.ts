import SwaggerParser from "@apidevtools/swagger-parser";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { schemaMigration } from "../attachments/attachments_app.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { Checker, operationsOf } from "./checker.ts";
import { fuzz } from "./fuzzed.ts";
import { as, documentOf, openapiFiles, openOrders } from "./openapi_app.ts";

const model = "app/models/order.ts";
const definition = "app/definitions/order_definition.ts";
const policy = "app/policies/order_policy.ts";
const listed = [
  ["cards()", "cards"],
  ["boards()", "boards"],
  ["calendar()", "calendar"],
  ["trash()", "trash"],
  ["comments()", "comments"],
  ["history()", "history"],
  ["savedViews()", "saved_views"],
  ["backgroundRuns()", "background_runs"],
  ["jobs()", "jobs"],
] as const;
const schemas = ["comments", "history", "saved_views", "jobs", "background_runs"];

const files: Record<string, string> = {
  "plugins.config.ts": listed.reduce(
    (config, [call, folder]) => withPlugin(config, call, folder),
    openapiFiles["plugins.config.ts"]!,
  ),
  ...Object.fromEntries(
    schemas.map((name, at) => [`db/migrate/2026050${at + 1}000000_create_${name}.ts`, schemaMigration(name)]),
  ),
  "db/migrate/20260510000000_add_trash.ts": `import { addTrash } from "framewright/plugins/trash";
export async function up(db) { await addTrash(db, "orders", { within: ["organization_id"] }); await addTrash(db, "order_lines", {}); await db.addColumns("orders", (t) => { t.integer("place").notNull().default(0); }); }
export async function down() {}
`,
  [model]: edited(openapiFiles, model, [
    "static override associations",
    "static softDelete = true; static comments = { internal: true };\n  static override associations",
  ]),
  "app/models/order_line.ts": edited(openapiFiles, "app/models/order_line.ts", [
    "static override associations",
    "static softDelete = true; static override associations",
  ]),
  [policy]: edited(
    openapiFiles,
    policy,
    ['"status"]; }', '"status", "place"]; }'],
    [
      "canRemind()",
      "canPurge() { return true; } canComment() { return true; } canShowHistory() { return true; } canTally() { return true; } canRemind()",
    ],
  ),
  [definition]: edited(openapiFiles, definition, [
    'this.action("audit"',
    'this.reorder("place" as never); this.board({ by: "kind" as never }); this.calendar({ on: "due_on" as never });\n  this.action("audit"',
  ]),
  "packages/customer_portal/app/controllers/customer_portal/orders_controller.ts": `import ResourceController from "./resource_controller.ts";
export default class OrdersController extends ResourceController {
  tally() { return this.json({ data: { total: 3 } }); }
  weigh() { return this.json({ data: { id: this.record!.$id() } }, { status: 202 }); }
  leaflet() { return this.redirectTo("/"); }
}`,
  "packages/customer_portal/app/controllers/customer_portal/reports_controller.ts": `import { BaseController } from "framewright";
import Controller from "./concerns/controller.ts";
export default class ReportsController extends Controller(BaseController) { index() { return this.json({ data: ["one"] }); } }`,
  "packages/customer_portal/config/routes.ts": edited(
    openapiFiles,
    "packages/customer_portal/config/routes.ts",
    [
      "routes.registerResource(Post,",
      'routes.get("/reports", { to: "reports#index" });\n  routes.registerResource(Post,',
    ],
    ["Attachment, Category, Order, OrderLine])", "Attachment, Category, OrderLine])"],
    [
      /\n\}\);\s*$/,
      `\n  routes.registerResource(Order, {}, (r) => { r.collection((c) => c.get("tally")); r.member((m) => { m.post("weigh"); m.get("leaflet"); }); });\n});\n`,
    ],
  ),
};

const kioskControllers = "packages/kiosk_portal/app/controllers/kiosk_portal";
/** A portal that everybody reads, without accounts and without tenants. */
const kiosk: Record<string, string> = {
  "packages/kiosk_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals";
export const KioskPortal = definePortal("KioskPortal");`,
  [`${kioskControllers}/concerns/controller.ts`]: `import { type ControllerClass, concern } from "framewright";
import { PortalController, PublicAccess } from "framewright/plugins/portals";
export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, PublicAccess);`,
  [`${kioskControllers}/resource_controller.ts`]: `import { ResourceController as Base } from "framewright/plugins/resources";
import Controller from "./concerns/controller.ts";
export default class ResourceController extends Controller(Base) {}`,
  "packages/kiosk_portal/config/routes.ts": `import type {} from "framewright/plugins/resources";
import Order from "#app/models/order.ts";
import OrderLine from "#app/models/order_line.ts";
import { KioskPortal } from "../lib/engine.ts";
export default KioskPortal.routes.draw((routes) => {
  for (const model of [Order, OrderLine]) routes.registerResource(model);
});`,
  "config/routes.ts": edited(
    tenantFiles,
    "config/routes.ts",
    [
      "import { GuestPortal",
      'import { KioskPortal } from "#packages/kiosk_portal/lib/engine.ts";\nimport { GuestPortal',
    ],
    ["  routes.mount(GuestPortal", '  routes.mount(KioskPortal, { at: "/kiosk" });\n  routes.mount(GuestPortal'],
  ),
};
/** Operations on what belongs to a person, which guests are refused. */
const PERSONAL = /\/(?:views|trash|_comments|_search|_history|history|background_runs)(?:\.|\/)/;

describe("Documents of OpenAPI, of what plugins and applications answer besides", (it) => {
  it("Boards, calendars, orders, trash, comments, history, runs, views and routes of an application are described, and answer so", async () => {
    const app = await openOrders(files);
    try {
      const { knex } = databaseOf(app.application);
      for (let at = 5; at < 15; at++)
        await knex("orders").insert({
          id: at,
          reference: `R-${at}`,
          quantity: 1,
          organization_id: 1,
          created_at: "2026-03-01 10:00:00.000",
          updated_at: "2026-03-01 10:00:00.000",
          ...(at > 12 ? { deleted_at: "2026-03-02 10:00:00.000" } : {}),
        });
      const document = await documentOf(app, 1);
      await SwaggerParser.validate(structuredClone(document) as never);
      const operations = operationsOf(document);
      const send = (path: string, init: RequestInit) =>
        app.request(path, { ...init, headers: { ...(init.headers as object), ...as(1) } });
      /** Sends a request by the document; its answer is the one that is named, and described. */
      const answered = async (id: string, status: number, path: string, body?: unknown): Promise<void> => {
        const one = operations.find(({ operation }) => operation.operationId === id);
        assert.ok(one, `${id} of ${operations.map(({ operation }) => operation.operationId).join()}`);
        const json = {
          method: one!.verb.toUpperCase(),
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        };
        const answer = await send(
          `/customer/1/${path}`,
          body === undefined ? { method: one!.verb.toUpperCase() } : json,
        );
        assert.is(answer.status, status, `${id}: ${await answer.clone().text()}`);
        assert.is(await new Checker(document).problemOf(one!, answer), undefined, id);
      };
      await answered("moveOrder", 200, "orders/5/board.json", { order: { kind: "repeat" } });
      await answered("rescheduleOrder", 200, "orders/5/calendar.json", { order: { due_on: "2026-05-05" } });
      await answered("orderOrder", 200, "orders/5/order.json", { move: "up" });
      await answered("listOrderTrash", 200, "orders/trash.json");
      await answered("changeOrderTrash", 200, "orders/trash.json", { operation: "restore", ids: [13] });
      await answered("createOrderComment", 201, "orders/5/_comments.json", { text: "Hello" });
      await answered("listOrderComments", 200, "orders/5/_comments.json");
      await answered("updateOrderComment", 200, "orders/5/_comments/1.json", { text: "Hello again" });
      await answered("followOrder", 200, "orders/5/_comments/follow.json", { follow: "1" });
      await answered("searchOrderCommentPeople", 200, "orders/5/_comments/people.json?q=C");
      await answered("deleteOrderComment", 204, "orders/5/_comments/1.json");
      await answered("listOrderHistory", 200, "orders/5/history.json");
      await answered("listHistory", 200, "_history.json");
      await answered("revertOrder", 200, "orders/5/history/1/revert.json", {});
      await answered("listOrderRuns", 200, "orders/background_runs.json");
      await answered("getOrderRun", 404, "orders/background_runs/1.json");
      await answered("saveOrderView", 201, "orders/views.json?scope=urgent", { name: "Urgent" });
      await answered("setOrderDefaultView", 200, "orders/views/1/default.json", { me: true });
      await answered("deleteOrderView", 200, "orders/views/1/delete.json");
      await answered("getOrderTally", 200, "orders/tally.json");
      await answered("postOrderWeigh", 202, "orders/5/weigh.json", {});
      await answered("getReports", 200, "reports.json");
      assert.not.match(JSON.stringify(document.paths), "leaflet"); // a page
      const { problems, sent } = await fuzz(document, send, { fixed: { organization_id: "1" }, seed: 3, rounds: 2 });
      assert.equal(problems, []);
      assert.ok(sent > 300, `${sent} requests`);
    } finally {
      await app.close();
    }
  });
  it("The document of a portal for guests has nothing of what belongs to people who are signed in", async () => {
    const app = await openOrders({ ...files, ...kiosk });
    try {
      const guest = (await (await app.request("/kiosk/openapi.json")).json()) as Awaited<ReturnType<typeof documentOf>>;
      const personal = ({ paths }: typeof guest) => Object.keys(paths).filter((path) => PERSONAL.test(path));
      assert.ok("/kiosk/orders.json" in guest.paths);
      assert.equal(personal(guest), []);
      assert.equal(personal(await app.application.kernel.service("openapi").documentOf("KioskPortal")), []);
      assert.ok(personal(await documentOf(app, 1)).length > 10);
      for (const path of ["orders/trash", "orders/5/_comments", "orders/5/history"])
        assert.ok((await app.request(`/kiosk/${path}.json`)).status >= 401, path);
    } finally {
      await app.close();
    }
  });
});
