import { databases } from "../support/databases.ts";
import { describe, requireOrSkip } from "../support/index.ts";
import { byCommand, byPage, tellLostPhone } from "./mailed/lost_phone.ts";
import type { Story } from "./mailed/thief.ts";
import { type Edit, generateShop, type MailedWorld, openMailedWorld } from "./mailed/world.ts";

// Everything that signs somebody in was on one phone. Told with a generated application in production, people in
// browsers of their own, and mails that a mail server gets.

const noBrowser = await requireOrSkip("browser");
const STORY_MS = 120_000;
const [sqlite] = await databases();

const edits: readonly Edit[] = [
  ["app/authlib/user_authlib_plugin.ts", "otp(),", "otp({ required: true }),"],
  ["app/definitions/user_definition.ts", "super.configure();", "super.configure();\n    accountActions(this);"],
  [
    "app/definitions/user_definition.ts",
    "import type User",
    'import { accountActions } from "framewright/plugins/authlib/actions";\nimport type User',
  ],
  [
    "packages/admin_portal/app/policies/admin_portal/user_policy.ts",
    "  // What its feature's policy permits is permitted here. Narrow it by methods of the same names.\n",
    '  canManageAccount() {\n    return this.user.role === "super_admin";\n  }\n',
  ],
];

describe("A lost phone with every second factor on it", (it, { before, after }) => {
  let world: MailedWorld | undefined;
  if (noBrowser === undefined) {
    before(async () => {
      world = await openMailedWorld(await generateShop(edits), sqlite!);
    });
    after(() => world?.close());
  }
  const can: Story = (sentence, body) => it.unless(noBrowser, sentence, () => body(world!), STORY_MS);
  tellLostPhone(can, { login: "paula@example.test", how: "by a command", help: byCommand });
  tellLostPhone(can, { login: "pavel@example.test", how: "on the account's page", help: byPage });
});
