import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { openAccounts } from "./accounts.ts";

describe("A portal at the path of an account type's pages", (it) => {
  it("Boot fails with FW_ACCOUNT_ADDRESS for a portal at the path of an account type's pages, naming both", async () => {
    const files = {
      "packages/users_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const UsersPortal = definePortal("UsersPortal");`,
      "packages/users_portal/config/routes.ts": `import { UsersPortal } from "../lib/engine.ts"; export default UsersPortal.routes.draw(() => undefined);`,
      "config/routes.ts": `import { drawRoutes } from "framewright"; import { UsersPortal } from "#packages/users_portal/lib/engine.ts";
        export default drawRoutes((routes) => { routes.mount(UsersPortal, { at: "/users" }); });`,
    };
    const { message } = await throwsCode("FW_ACCOUNT_ADDRESS", () =>
      openAccounts({ user: { features: "login(), logout()" } }, { files }),
    );
    assert.match(message, /"user" and UsersPortal are both at \/users/);
    const beside = {
      ...files,
      "config/routes.ts": edited(files, "config/routes.ts", ['at: "/users"', 'at: "/people"']),
    };
    await (await openAccounts({ user: { features: "login(), logout()" } }, { files: beside })).close();
  });
});
