import { type ApplicationFiles, defineGenerator, type GeneratorContext, type ModelFile } from "framewright/generators";
import { camelize, demodulize, underscore } from "framewright/host/inflection";
import { importPath, portalOf } from "../../../../../generators/toolkit/index.ts";
import { listed } from "../../../../database/generators/toolkit/index.ts";
import { invites } from "../../invites/install/check_flow.ts";
import { membershipName, type Sides, sideOptions, sidesOf } from "../names.ts";
import { profileFields, withProfile } from "./profile_step.ts";

export default defineGenerator({
  name: "fw:saas:welcome",
  summary: "Create the page of an account without a tenant: it creates one, or accepts an invitation",
  example: "fw generate fw:saas:welcome --user_model=Customer --entity_model=Organization --portal=dashboard_portal",
  options: {
    ...sideOptions,
    portal: { summary: "The portal that an account without a tenant asked for", value: "PORTAL" },
    profile: {
      summary:
        "First ask for the text fields of the person's profile, where one is empty; an existing page gets the step",
    },
  },
  help: "An example that asks for the profile first: fw generate fw:saas:welcome --user_model=Customer --portal=dashboard_portal --profile",
  directory: import.meta.dirname,
  async run(context) {
    const { options, app, changes, template } = context;
    const portal = await portalOf(app, options.portal);
    const sides = sidesOf(app, { ...options, auth: signInOf(context, portal) });
    const invitation = invitationOf(app, sides);
    const profile = options.profile ? listed(profileFields(app, sides.user)) : "";
    const name = pageName(context, sides);
    const locals = {
      account: sides.account,
      controller: `${camelize(name)}Controller`,
      membership: demodulize(sides.membership.constant),
      membership_path: importPath(sides.membership.path),
      invitation: invitation ? demodulize(invitation.constant) : "",
      invitation_path: invitation ? importPath(invitation.path) : "",
      mount: mountOf(changes.read("config/routes.ts") ?? "", portal),
      profile,
    };
    const path = `app/controllers/${name}_controller.ts`;
    if (profile !== "" && app.has(path)) changes.edit(path, (text) => withProfile(text, profile));
    else if (!/\bprofile:/.test(changes.read(path) ?? "")) template(path, "controller.ts", locals);
    const at = name.replaceAll("_", "-");
    changes.insertAbove(
      "config/routes.ts",
      "fw:mounts",
      [
        `routes.get("${at}", { to: "${name}#index", as: "${name}" });`,
        `routes.post("${at}", { to: "${name}#create" });`,
        `routes.post("${at}/accept", { to: "${name}#accept" });`,
      ].join("\n"),
    );
    if (profile !== "")
      changes.insertAbove(
        "config/routes.ts",
        "fw:mounts",
        `routes.post("${at}/profile", { to: "${name}#updateProfile" });`,
      );
    const concern = `packages/${portal}/app/controllers/${portal}/concerns/controller.ts`;
    changes.edit(concern, (text) => text.replace(/Members\((\w+)\)/, `Members($1, { welcome: "/${at}" })`));
  },
});

/** The account type by which a portal is entered, where it is one of accounts. */
function signInOf({ app, changes }: GeneratorContext, portal: string): string | undefined {
  const concern = changes.read(`packages/${portal}/app/controllers/${portal}/concerns/controller.ts`) ?? "";
  const name = /\bAuthlib\("(\w+)"\)/.exec(concern)?.[1];
  return app.accounts().find((known) => known === name);
}

/** The model of the invitations into these tenants: that with the usual name, else the first. */
function invitationOf(app: ApplicationFiles, sides: Sides): ModelFile | undefined {
  const usual = `${membershipName(sides.entity.constant, sides.user.constant)}Invite`;
  const found = app.models().filter((model) => invites(app, model, sides));
  return found.find(({ constant }) => constant === usual) ?? found[0];
}

/** The first name whose page is that of these memberships, or is free: each kind of tenant has a page of its own. */
function pageName({ app, changes }: GeneratorContext, { account, membership }: Sides): string {
  const short = demodulize(membership.constant);
  const isOwn = (name: string) => {
    const path = `app/controllers/${name}_controller.ts`;
    return !app.has(path) || new RegExp(`membership:\\s*${short}\\b`).test(changes.read(path) ?? "");
  };
  const names = ["welcome", `${account}_welcome`];
  return names.find(isOwn) ?? `${underscore(short)}_welcome`;
}

/** Where the routes mount a portal. */
export function mountOf(routes: string, portal: string): string {
  const found = new RegExp(`mount\\(\\s*${camelize(portal)}\\s*,\\s*\\{\\s*at:\\s*["']([^"']+)["']`).exec(routes);
  return found?.[1] ?? `/${portal.replace(/_portal$/, "")}`;
}
