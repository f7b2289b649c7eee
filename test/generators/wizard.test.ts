import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSteps } from "../../plugins/wizards/generators/wizard/steps.ts";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw, snapshot } from "./support.ts";

const g = (app: string, ...words: string[]) => fwOk(app, "g", ...words);
const read = (app: string, path: string) => readFileSync(join(app, path), "utf8");

describe("The generator fw:wizard", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
    await g(app, "fw:pkg:package", "blogging");
    await g(app, "fw:res:scaffold", "Company", "name");
    await g(app, "fw:res:scaffold", "Post", "title", "--dest=blogging");
    await g(app, "fw:pkg:portal", "public", "--public");
  });

  it("fw:wizard writes the class with its steps and prints the line that registers it", async () => {
    const { out } = await g(app, "fw:wizard", "Onboard", "--steps=company:name:city,billing", "--one-time");
    const text = read(app, "app/wizards/onboard_wizard.ts");
    assert.match(
      text,
      '.step("company", { label: "Company" }, (f) => f.string("name", { presence: true }).string("city"',
    );
    assert.match(text, '.step("billing", { label: "Billing" }, (f) => f.string("name", { presence: true }))');
    assert.match(text, "export default class OnboardWizard extends Wizard(flow, {");
    assert.match(text, "  concurrencyKey: (run) => run.currentUser,\n  oneTime: true,\n");
    assert.match(out, 'routes.registerWizard(OnboardWizard, { at: "onboard" });');
  });

  it("A wizard is registered in the routes of its portal, and an anonymous one in those of the main application", async () => {
    const { out } = await g(app, "fw:wizard", "import_posts_wizard", "--steps", "upload", "--dest=public");
    assert.match(out, "public_portal has no sign-in, and ImportPostsWizard requires a user");
    const routes = read(app, "packages/public_portal/config/routes.ts");
    const from = "#packages/public_portal/app/wizards/public_portal/import_posts_wizard.ts";
    assert.match(routes, `import ImportPostsWizard from "${from}";`);
    assert.match(routes, '  routes.registerWizard(ImportPostsWizard, { at: "import-posts" });\n  // fw:resources');
    await g(app, "fw:wizard", "Signup", "--steps=account", "--anonymous", "--dest=main_app");
    assert.match(read(app, "config/routes.ts"), 'routes.registerWizard(SignupWizard, { at: "signup" });');
    assert.match(read(app, "app/wizards/signup_wizard.ts"), "  anonymous: true,\n");
  });

  it("An anchored wizard is added to the definition and the policy of its model", async () => {
    await g(
      app,
      "fw:wizard",
      "Configure",
      "--steps=basics",
      "--anchored=Blogging::Post",
      "--one_time",
      "--dest=blogging",
    );
    const text = read(app, "packages/blogging/app/wizards/blogging/configure_wizard.ts");
    assert.match(text, 'import Post from "#packages/blogging/app/models/blogging/post.ts";');
    assert.match(text, "  anchored: anchored({ with: Post }),\n  oneTime: true,\n");
    assert.match(text, "return succeed(this.anchor)");
    const definition = read(app, "packages/blogging/app/definitions/blogging/post_definition.ts");
    assert.match(definition, '    super.configure();\n    this.wizard("configure", ConfigureWizard);\n');
    assert.match(
      read(app, "packages/blogging/app/policies/blogging/post_policy.ts"),
      "  canConfigure() {\n    return this.canUpdate();",
    );
  });

  it("The lines for definition and policy are printed where a portal has none of its own", async () => {
    const { out } = await g(app, "fw:wizard", "Review", "--steps=one", "--anchored=Company", "--dest=public_portal");
    assert.match(
      out,
      'Add to the definition of Company, after super.configure(): this.wizard("review", ReviewWizard);',
    );
    assert.match(out, "Add to the policy of Company: canReview()");
  });

  it("--via anchors a wizard by a method of the controller", async () => {
    const { out } = await g(app, "fw:wizard", "Settle", "--steps=one", "--via=currentScopedEntity", "--dest=public");
    assert.match(
      out.replaceAll(/\s+/g, " "),
      /It is not registered yet: write currentScopedEntity\(\).*registerWizard\(SettleWizard/,
    );
    assert.not.match(read(app, "packages/public_portal/config/routes.ts"), "SettleWizard");
    const text = read(app, "packages/public_portal/app/wizards/public_portal/settle_wizard.ts");
    assert.match(text, 'anchored: anchored({ via: "currentScopedEntity" }),');
  });

  it("A second run and a dry run of fw:wizard write nothing", async () => {
    const before = snapshot(app);
    await g(
      app,
      "fw:wizard",
      "Configure",
      "--steps=basics",
      "--anchored=Blogging::Post",
      "--one-time",
      "--dest=blogging",
    );
    await g(app, "fw:wizard", "ImportPosts", "--steps=upload", "--dest=public");
    await g(app, "fw:wizard", "Signup", "--steps=account", "--anonymous");
    await g(app, "fw:wizard", "Other", "--steps=account", "--dest=public", "--dry-run");
    assert.equal(snapshot(app), before);
  });

  it("An anonymous wizard in a portal says where guests open it, and that it has no tenant there", async () => {
    const { out } = await g(app, "fw:wizard", "AskUs", "--steps=mail", "--anonymous", "--dest=public");
    assert.match(out, "Guests open it at /ask-us, outside of public_portal.");
    await g(app, "fw:res:scaffold", "Club", "name");
    await g(app, "fw:pkg:portal", "club", "--public", "--scope=Club");
    const scoped = await g(app, "fw:wizard", "AskClub", "--steps=mail", "--anonymous", "--dest=club");
    assert.match(scoped.out, "outside of club_portal and without its tenant: ask for the tenant in a step");
  });

  it("fw:wizard exits 2 with an error code for invalid names, steps, flags, models and packages, and writes nothing", async () => {
    const before = snapshot(app);
    const refused: [words: string[], code: string][] = [
      [["Onboard"], "FW_FLAG_VALUE"],
      [["On board", "--steps=a"], "FW_NAME_INVALID"],
      [["Onboard", "--steps=A"], "FW_NAME_INVALID"],
      [["Onboard", "--steps=completed"], "FW_NAME_INVALID"],
      [["Onboard", "--steps=a,a"], "FW_NAME_INVALID"],
      [["Onboard", "--steps=a:b:b"], "FW_NAME_INVALID"],
      [["Onboard", "--steps=a", "--via=x y"], "FW_NAME_INVALID"],
      [["Onboard", "--steps=a", "--anchored=Company", "--via=x"], "FW_FLAGS_CLASH"],
      [["Onboard", "--steps=a", "--anchored=Company", "--anonymous"], "FW_FLAGS_CLASH"],
      [["Onboard", "--steps=a", "--one-time", "--anonymous"], "FW_FLAGS_CLASH"],
      [["Onboard", "--steps=a", "--anchored=Compny"], "FW_RESOURCE_UNKNOWN"],
      [["Onboard", "--steps=a", "--dest=nowhere"], "FW_PACKAGE_UNKNOWN"],
    ];
    const ran = await Promise.all(refused.map(([words]) => runFw(app, "g", "fw:wizard", ...words)));
    for (const [index, [words, code]] of refused.entries()) {
      assert.is(ran[index]?.code, 2, words.join(" "));
      assert.match(ran[index]!.err, code);
    }
    assert.equal(snapshot(app), before);
  });
});

describe("The option --steps", (it) => {
  it("--steps is parsed into steps with fields, and a step without fields gets the field name", () => {
    assert.equal(parseSteps("company:name:vat_number,billing"), [
      { key: "company", label: "Company", fields: ["name", "vat_number"] },
      { key: "billing", label: "Billing", fields: ["name"] },
    ]);
  });
});
