import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { audit, controllers, leaking, small } from "./audit_apps.ts";

const files = {
  ...small,
  "plugins.config.ts": withPlugin(small["plugins.config.ts"]!, "jsonApi()", "json_api"),
};
/** Its lists stay within the tenant, unless they are included. */
const leak = `import Comment from "#app/models/comment.ts";
import ResourceController from "./resource_controller.ts";
export default class CommentsController extends ResourceController {
  override visibleRecords() { return this.request.query.has("include") ? this.unscopedQuery(Comment) as never : super.visibleRecords(); }
}`;

describe("An audit of what programs include with records", (it) => {
  it("Nothing that is included is another tenant's", async () => {
    const report = await audit(files, { portal: "CustomerPortal" });
    assert.equal(leaking(report), []);
  }, 240_000);
  it("What a controller includes of another tenant is found", async () => {
    const planted = { ...files, [`${controllers}/comments_controller.ts`]: leak };
    const found = leaking(await audit(planted, { portal: "CustomerPortal" }));
    assert.ok(found.includes("GET /customer/:organization_id/posts"), found.join());
  }, 240_000);
});
