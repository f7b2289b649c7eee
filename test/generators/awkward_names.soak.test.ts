import { FramewrightError } from "framewright/kernel";
import { Generators } from "../../generators/registry.ts";
import { draft } from "../../generators/run_generator.ts";
import { ApplicationFiles } from "../../generators/support/application.ts";
import { Changes } from "../../generators/support/changes.ts";
import { assert, describe } from "../support/index.ts";
import { awkwardNames } from "./awkward_names.ts";
import { ensureBuilt, fwOk, newApp, typeCheck } from "./support.ts";

/** Runs generators in this process, on one application. Names that are refused must be refused as names. */
class Runs {
  readonly refused: string[] = [];
  readonly root: string;
  constructor(root: string) {
    this.root = root;
  }

  async run(words: readonly string[], options: Record<string, unknown> = {}): Promise<void> {
    const [name, ...args] = words;
    const generator = (await new Generators().find(name!))!;
    const changes = new Changes(this.root);
    try {
      await draft(generator, new ApplicationFiles(this.root, changes), changes, args, options);
    } catch (error) {
      const isName = error instanceof FramewrightError && error.code === "FW_NAME_INVALID";
      if (!isName) throw new Error(`${words.join(" ")}: ${String(error)}`, { cause: error });
      this.refused.push(args[0]!);
      return;
    }
    changes.commit(changes.plan(() => "overwrite"));
  }
}

describe("Awkward names, by each generator that takes one", (it) => {
  let app = "";
  it("Resources, interactions, wizards, dashboards and packages of any legal name type-check and boot", async () => {
    await ensureBuilt();
    app = await newApp();
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--public");
    const runs = new Runs(app);
    for (const name of awkwardNames) await runs.run(["fw:res:scaffold", name, "title"]);
    assert.equal(runs.refused.splice(0), ["ResourcePolicy", "ResourceController"]);
    const names = awkwardNames.filter((name) => name.startsWith("App") || !name.startsWith("Resource"));
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:res:conn", ...names, "--dest=admin_portal");
    for (const name of names) {
      await runs.run(["fw:res:interaction", "Status", name]);
      await runs.run(["fw:res:interaction", name, "Base"]);
      await runs.run(["fw:wizard", name], { steps: "first", anchored: "Datum" });
      await runs.run(["fw:wizard", `X${name}`], { steps: "first", anchored: name });
      await runs.run(["fw:wizard", `${name}2`], { steps: "first", dest: "admin_portal", anonymous: true });
      if (name !== "MainDashboard")
        await runs.run(["fw:dashboard", name], { dest: "admin_portal", at: `/d-${name.toLowerCase()}` });
      await runs.run(["fw:model", `${name}Note`, "note:text"]);
    }
    assert.equal(runs.refused, ["Status", "Index"]);
    assert.is((await typeCheck(app)).out, "");
    await fwOk(app, "routes");
  }, 240_000);

  it("Accounts, tenants, memberships, invitations, profiles and API clients of such names type-check and boot", async () => {
    const product = await newApp();
    const runs = new Runs(product);
    const products = [
      ["Transaction", "Status", "Invite", "Client"],
      ["Membership", "Policy", "Invitation", "APIClientModel"],
      ["APIKey", "Series", "Controller", "Promise"],
      ["User2", "Base", "Members", "Index"],
    ] as const;
    for (const [user, entity, inviteModel, client] of products) {
      const portalName = `Of${entity}`;
      const portal = `of_${entity.toLowerCase()}_portal`;
      await runs.run(["fw:saas:setup"], { user, entity, portalName, noInvites: true, roles: "editor,viewer" });
      const models = { userModel: user, entityModel: entity, portal };
      await runs.run(["fw:invites:install"], { ...models, inviteModel, enforceDomain: "name" });
      await runs.run(["fw:saas:api_client", client], { entity, portal });
      const desk = `${entity}Desk`;
      await runs.run(["fw:res:scaffold", desk, `${entity.toLowerCase()}:belongs_to`, "name"]);
    }
    assert.equal(runs.refused, []);
    await fwOk(product, "db:migrate");
    assert.is((await typeCheck(product)).out, "");
    await fwOk(product, "routes");
  }, 240_000);
});
