import { assert, describe, throwsCode } from "../../support/index.ts";
import { bootWith, portalRoutes, wizardFile } from "./mounts_support.ts";

const imports = `import ImportWizard from "#app/wizards/import_wizard.ts";`;
const registered = (options: string): Record<string, string> => ({
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(ImportWizard, ${options} as never);`,
    imports,
  ),
});
const withVia = (via: string): Record<string, string> => ({
  "app/wizards/via_wizard.ts": wizardFile("ViaWizard", `anchored: anchored({ via: "${via}" })`),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(ViaWizard, { at: "via" });`,
    `import ViaWizard from "#app/wizards/via_wizard.ts";`,
  ),
  "packages/admin_portal/app/controllers/admin_portal/wizards_controller.ts": `import { WizardBaseController } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts";
    export default class WizardsController extends Controller(WizardBaseController) { async currentPost() { return undefined; } }`,
});
const withWizard = (options: string, steps?: string): Record<string, string> => ({
  "app/wizards/import_wizard.ts": wizardFile("ImportWizard", options, steps ? { steps } : {}),
});
const withMacro = (key: string, option: string) => ({
  "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import type Post from "#app/models/post.ts";
    import ConfigureWizard from "../wizards/configure_wizard.ts"; import ImportWizard from "../wizards/import_wizard.ts";
    export default class PostDefinition extends ResourceDefinition<Post> { override configure() { super.configure();
      this.wizard("configure", ConfigureWizard, ${key === "configure" ? `{ ${option}: true } as never` : "{}"}); this.wizard("intake", ImportWizard, ${key === "intake" ? `{ ${option}: true } as never` : "{}"});
    } }`,
});

/** What it is refused with; an error of a file that is loaded stands in that of the file. */
const refusal = (boot: () => Promise<void>): Promise<string> =>
  boot().then(
    () => "nothing",
    (error: Error) => error.message,
  );

/** What is written, by a name that is wrong, and the error that it is refused with. */
const cases: [code: string, wrong: string, written: (name: string) => Record<string, string>][] = [
  ["FW_WIZARD_MOUNT", "layuot", (name) => registered(`{ at: "x", ${name}: "basic" }`)],
  ["FW_WIZARD_LAYOUT", "basik", (name) => registered(`{ at: "x", layout: "${name}" }`)],
  ["FW_WIZARD_LAYOUT", "resorce", (name) => registered(`{ at: "x", layout: "${name}" }`)],
  ["FW_WIZARD_VIA", "curentUser", withVia],
  ["FW_WIZARD_VIA", "currentPots", withVia],
  ["FW_WIZARD_OPTION", "encryptdata", (name) => withWizard(`${name}: true`)],
  [
    "FW_WIZARD_STEP_OPTION",
    "lable",
    (name) => withWizard("", `.step("first", { ${name}: "x" } as never, (f) => f.string("a"))`),
  ],
  [
    "FW_WIZARD_STEP_UNKNOWN",
    "frist",
    (name) =>
      withWizard("", `.step("first", {}, (f) => f.string("a")).onSubmit("${name}" as never, async () => undefined)`),
  ],
  ["FW_WIZARD_FLAG", "recordActon", (name) => withMacro("configure", name)],
  ["FW_WIZARD_FLAG", "resorceAction", (name) => withMacro("intake", name)],
];

describe("The suggestions in errors of wizards", (it) => {
  for (const [code, wrong, written] of cases)
    it(`The name that ${code} suggests for "${wrong}" boots`, async () => {
      const message = await refusal(() => bootWith(written(wrong)));
      assert.match(message, `${code}: `);
      const meant = /did you mean "([^"]+)"/i.exec(message)?.[1];
      assert.ok(meant, message);
      assert.is.not(meant, wrong);
      await bootWith(written(meant!));
    });
  it("FW_WIZARD_VIA names the file that needs the method", async () => {
    const { message } = await throwsCode("FW_WIZARD_VIA", () => bootWith(withVia("nothingOfTheKind")));
    assert.match(message, /(?:Add|Write) .*app\/controllers\/(?:\w+\/)?wizards_controller\.ts/);
  });
  it("FW_WIZARD_VIA names scopeToEntity, and suggests nothing, for currentScopedEntity in a portal without a tenant", async () => {
    const { message } = await throwsCode("FW_WIZARD_VIA", () => bootWith(withVia("currentScopedEntity")));
    assert.not.match(message, /did you mean/i);
    assert.match(
      message,
      'via "currentScopedEntity", which WizardsController does not have. AdminPortal is not scoped',
    );
    assert.match(message, "in a portal that calls scopeToEntity, or name another method");
    await bootWith(withVia("currentPost"));
  });
  it("FW_WIZARD_VIA refuses a method that every controller has", async () => {
    for (const via of ["render", "redirectTo", "session", "constructor", "toString"])
      await throwsCode("FW_WIZARD_VIA", () => bootWith(withVia(via)));
  });
});

describe("The path of a wizard", (it) => {
  it("FW_WIZARD_AT names the wizard whose path no request could reach", async () => {
    for (const at of [
      "../x",
      "x/..",
      ".",
      "./x",
      "x/./y",
      "a//b",
      "x/",
      "//x",
      "x?y",
      "x#y",
      "x y",
      ":id",
      "x/*",
      "a\\\\b",
      "é",
      "%2e%2e",
      "import.json",
    ]) {
      const { message } = await throwsCode("FW_WIZARD_AT", () => bootWith(registered(`{ at: "${at}" }`)));
      assert.match(message, "registerWizard(ImportWizard) can't use at: ");
      assert.match(message, 'Give at: a path such as "onboarding"');
    }
  });
  it("FW_WIZARD_PLACE names the wizard whose path is that of another route or of another wizard's step", async () => {
    const both = (first: string, second: string) =>
      bootWith({
        "packages/admin_portal/config/routes.ts": portalRoutes(
          `routes.registerWizard(ImportWizard, { at: "${first}", as: "a" }); routes.registerWizard(OnboardWizard, { at: "${second}", as: "b" });`,
          `${imports} import OnboardWizard from "#app/wizards/onboard_wizard.ts";`,
        ),
      });
    for (const [first, second, why] of [
      [
        "x",
        "/x",
        /OnboardWizard, { at: "x" }\) can't be mounted there: ImportWizard is mounted there already\. Give one/,
      ],
      ["x", "x/first", /OnboardWizard, { at: "x\/first" }\).*ImportWizard at "x" has a step there\./],
      ["x/first", "x", /OnboardWizard, { at: "x" }\).*ImportWizard is at "x\/first", the path of a step of this one/],
      ["x", "posts", /OnboardWizard, { at: "posts" }\).*GET \/posts is drawn twice.*Change the path of one of them\.$/],
      ["x", "x/runs", /OnboardWizard, { at: "x\/runs" }\).*is drawn twice/],
      ["", "x", /ImportWizard, { at: "" }\).*GET \/ is drawn twice/],
    ] as const)
      assert.match((await throwsCode("FW_WIZARD_PLACE", () => both(first, second))).message, why);
    await both("x", "x/y");
  });
});
