import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, openAccounts, signIn } from "./accounts.ts";

const files = {
  "app/models/user.ts": `import { hasOne, Model } from "framewright/plugins/database"; export default class User extends Model("users") { static override associations = { profile: hasOne({ class: "Card" }) }; }`,
  "app/models/card.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class Card extends Model("cards") { static override associations = { user: belongsTo() }; }`,
  "db/migrate/20260102000000_create_cards.ts": `export async function up(db) { await db.createTable("cards", (t) => { t.id(); t.belongsTo("user", { null: false }); t.string("bio"); }); } export async function down() {}`,
  "packages/user_portal/app/controllers/user_portal/home_controller.ts": `import { BaseController, concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals";
    export default class HomeController extends (concern(BaseController, PortalController, Authlib("user" as never)) as any) {
      static beforeActions = [{ run: "profile", only: ["form"] }];
      async index() { const [one, other] = [await this.profile(), await this.profile()]; return this.json({ bio: one?.bio ?? null, left: this.currentUser.profile?.bio ?? null, same: one === other }); }
      form() { return this.render("form"); }
      submit() { return this.json({}); } }`,
  "packages/user_portal/app/views/user_portal/home/form.liquid": "<p>{{ current_user.profile.bio }}</p>",
};
const [sqlite] = await databases();

describe("The profile of an account", (it) => {
  it("`this.profile()` is the account's own record in each controller, read once, and left at currentUser.profile for views", async () => {
    const app = await openAccounts(
      { user: { features: "login(), logout()" } },
      { values: await sqlite!.values(), files },
    );
    try {
      const [ann] = await addPeople(app, "user", "ann@example.test", "bob@example.test");
      await databaseOf(app.application).knex("cards").insert({ user_id: ann, bio: "Grows alders." });
      const [hers, his] = [
        await signIn(app, "user", "ann@example.test"),
        await signIn(app, "user", "bob@example.test"),
      ];
      assert.equal((await hers.json("/user")).body, { bio: "Grows alders.", left: "Grows alders.", same: true });
      assert.match(await hers.page("/user/form"), "<p>Grows alders.</p>");
      assert.equal((await his.json("/user")).body, { bio: null, left: null, same: true });
    } finally {
      await app.close();
    }
  });
});
