import type { TestApp } from "../../support/apps.ts";
import { EMAIL, openApi, PASSWORD, type Pair } from "../jwt/api.ts";

const base = "packages/api_user_portal/app/controllers/api_user_portal";
/** A portal of programs with tokens that serves notes: their authors and the columns of the others are nobody's to read. */
const files = {
  "db/migrate/20260501000000_create_notes.ts": `export async function up(db) { await db.createTable("notes", (t) => { t.id(); t.string("title").notNull(); t.string("secret"); }); }\nexport async function down() {}\n`,
  "app/models/note.ts": `import { Model } from "framewright/plugins/database"; export default class Note extends Model("notes" as never) {}`,
  "app/policies/note_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class NotePolicy extends Policy {
    override canRead() { return this.user !== undefined; } override canCreate() { return this.user !== undefined; }
    override permittedAttributesForCreate() { return ["title"]; } }`,
  [`${base}/resource_controller.ts`]: `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController as Base } from "framewright/plugins/resources";
    export default class ResourceController extends (concern(Base as never, PortalController, Authlib("api_user" as never)) as typeof Base) {}`,
  "packages/api_user_portal/config/routes.ts": `import Note from "#app/models/note.ts"; import { ApiUserPortal } from "../lib/engine.ts";
    export default ApiUserPortal.routes.draw((routes) => { routes.root({ to: "home#index" }); routes.registerResource(Note); });`,
};
/** Ann, of a type of programs, and their portal; `call` is that of `openapi`. */
export const openProgramNotes = (call: string): Promise<TestApp> =>
  openApi({
    mounted: true,
    files,
    plugins: { imports: 'import { openapi } from "framewright/plugins/openapi";', list: `${call},` },
  });

export async function signIn(app: TestApp): Promise<Pair> {
  const answer = await app.request("/api_users/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login: EMAIL, password: PASSWORD }),
  });
  return (await answer.json()) as Pair;
}
