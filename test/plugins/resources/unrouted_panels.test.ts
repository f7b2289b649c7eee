import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { printedBy } from "../../support/printed.ts";
import { openShop, shopFiles } from "../../support/shop.ts";

const routes = "packages/admin_portal/config/routes.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";

/** What the application warns of when it boots. */
const warnedBy = (changes: Record<string, string>): Promise<string> =>
  printedBy(async () => await (await openShop(changes, { LOG_LEVEL: "warn" })).close());
const permitting = (names: string) => ({ [policy]: edited(shopFiles, policy, ['["comments", "note"]', names]) });

describe("Associations that a policy permits and no panel shows", (it) => {
  it("A warning at boot names resource, association and what to do", async () => {
    assert.not.match(await warnedBy({}), "permits the association");
    const text = await warnedBy(permitting('["comments", "author", "nothing" as never]'));
    assert.match(text, "only has-many and has-one associations have panels");
    assert.match(text, "Blogging::Post has no such association");
    assert.not.match(text, "is not registered there");
  });
  it("A target that is not registered in the portal is named, unless the registration lists its associations", async () => {
    const comment = "  routes.registerResource(Comment);\n";
    const inPortal = (options: string) => ({
      [routes]: edited(
        shopFiles,
        routes,
        [comment, ""],
        ["registerResource(Post, {}", `registerResource(Post, ${options}`],
      ),
    });
    const text = await warnedBy(inPortal("{}"));
    assert.match(text, "Blogging::Comment is not registered there. Register Blogging::Comment there");
    assert.not.match(await warnedBy(inPortal('{ associations: ["note"] }')), "permits the association");
  });
});
