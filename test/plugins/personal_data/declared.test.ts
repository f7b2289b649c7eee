import type { TestApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { models, openPersonalData } from "./personal_data_app.ts";

const note = "app/models/note.ts";
/** The model of notes with something else in its declaration. */
const declaring = (personal: string) => ({
  [note]: models[note]!.replace(/static personal = .*?;\n?/s, `static personal = ${personal}; `),
});

describe("What models declare of personal data", (it) => {
  const refusals: Record<string, [code: string, says: RegExp]> = {
    '{ of: "author", columns: { titel: null } }': [
      "FW_PERSONAL_COLUMN",
      /Note names the column "titel".*Did you mean "title"/,
    ],
    '{ of: "author", columns: { title: null } }': ["FW_PERSONAL_RULE", /"title".*of Note.*may not be null.*title: ""/],
    '{ of: "author", columns: { id: 0 } }': ["FW_PERSONAL_RULE", /"id".*the key/],
    '{ of: "author", columns: { created_at: true } }': ["FW_PERSONAL_RULE", /./],
    '{ of: "autor" }': ["FW_PERSONAL_OF", /of: "autor".*It has: author/],
    "{ columns: { body: null } }": ["FW_PERSONAL_UNREACHED", /Note leads to no account/],
    '{ of: "author", column: {} }': ["FW_PERSONAL_STATIC", /of Note/],
    '{ of: "author", columns: { body: { keep: "" } } }': ["FW_PERSONAL_STATIC", /of Note/],
    true: ["FW_PERSONAL_STATIC", /of Note is /],
  };
  it("What can't be meant ends the boot, with the model, the column and what to do", async () => {
    for (const [personal, [code, says]] of Object.entries(refusals)) {
      const { message } = await throwsCode(code, () => openPersonalData({ changes: declaring(personal) }));
      assert.match(message, says, personal);
    }
    const profile = "app/models/profile.ts";
    const unique = { [profile]: models[profile]!.replace(/code: \(.*?\.id/, 'code: "x"') };
    const { message } = await throwsCode("FW_PERSONAL_RULE", () => openPersonalData({ changes: unique }));
    assert.match(message, /"code".*Profile.*unique.*function of the row/);
    const user = "app/models/user.ts";
    const login = { [user]: models[user]!.replace("columns: {", "columns: { email: null,") };
    assert.match(
      (await throwsCode("FW_PERSONAL_RULE", () => openPersonalData({ changes: login }))).message,
      /is the login/,
    );
  });

  it("fw doctor names the models that belong to accounts and declare nothing", async () => {
    const examined = async (app: TestApp) => {
      const findings: { what: string; ok: boolean; detail: string }[] = [];
      await app.application.hooks.examine.promise(findings as never);
      await app.close();
      return findings.find(({ what }) => what === "personal data")!;
    };
    const all = await examined(await openPersonalData());
    assert.equal([all.ok, all.detail], [true, "every model that belongs to accounts declares its own"]);
    const silent = { [note]: models[note]!.replace(/static personal = .*?;\n?/s, "") };
    const one = await examined(await openPersonalData({ changes: silent }));
    assert.is(one.ok, false);
    assert.match(one.detail, /declare nothing: Note\. Give each "static personal"/);
  });

  it("Without the plugin models may declare it all the same, and nothing of it is there", async () => {
    const definition = "app/definitions/user_definition.ts";
    const text =
      'import { ResourceDefinition } from "framewright/plugins/resources"; export default class UserDefinition extends ResourceDefinition {}';
    const app = await openPersonalData({ personal: "", changes: { [definition]: text } });
    try {
      assert.is((await app.client().request("/users/personal-data")).status, 404);
      const texts = app.application.kernel.service("i18n");
      assert.not.ok(texts.has?.("personal_data.label") ?? texts.t("personal_data.label") === "Deleted person");
    } finally {
      await app.close();
    }
  });
});
