import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, spawnFw, spawnOk } from "./support.ts";

// Most imports of an application are resolved by generators/bin/conditions_hook.js alone: they lead where Node leads them.

describe("The modules of an application", (it, { before }) => {
  let app: string;
  before(async () => {
    await ensureBuilt();
    app = await newApp();
    await fwOk(app, "g", "fw:res:scaffold", "Post", "title");
    await fwOk(app, "g", "fw:res:scaffold", "Note", "title");
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:res:conn", "Post", "Note", "--dest=main_app");
    const controller = `import { PublicAccess } from "framewright/plugins/portals";
import { concern } from "framewright";
import ResourceController from "./resource_controller.ts";
export default class Controller extends concern(ResourceController, PublicAccess) {}
`;
    for (const name of ["posts", "notes"])
      writeFileSync(join(app, `app/controllers/${name}_controller.ts`), controller);
  });

  it("A file is one module under all its paths, also where it is a link", async () => {
    mkdirSync(join(app, "shared"));
    renameSync(join(app, "app/models/note.ts"), join(app, "shared/note.ts"));
    symlinkSync("../../shared/note.ts", join(app, "app/models/note.ts"));
    writeFileSync(
      join(app, "app/policies/note_policy.ts"),
      `import Note from "../models/note.ts";
import SharedNote from "../../shared/note.ts";
import AliasedNote from "#app/models/note.ts";
import ResourcePolicy from "./resource_policy.ts";
if (Note !== SharedNote || Note !== AliasedNote) throw new Error("there are several notes");
export default class NotePolicy extends ResourcePolicy<Note> {}
`,
    );
    const { out } = await spawnOk(app, "routes");
    assert.match(out, /\/posts\b/);
    assert.match(out, /\/notes\b/);
  });

  it("A file that is missing, or that throws, is named with the file that asks for it", async () => {
    const path = join(app, "app/policies/note_policy.ts");
    writeFileSync(path, 'import "./gone.ts";\nexport default class NotePolicy {}\n');
    const missing = await spawnFw(app, "types");
    assert.is(missing.code, 1);
    assert.match(missing.err, /FW_FILE_FAILED: .*app\/policies\/note_policy\.ts/);
    assert.match(missing.err, "gone.ts");
    writeFileSync(path, 'throw new Error("not today");\n');
    const thrown = await spawnFw(app, "types");
    assert.equal([thrown.code, /app\/policies\/note_policy\.ts.*not today/.test(thrown.err)], [1, true], thrown.err);
  });
});
