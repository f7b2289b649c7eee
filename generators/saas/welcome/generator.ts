import { defineGenerator } from "../../generator.ts";
import { importPath } from "../../support/application.ts";
import { camelize, demodulize } from "../../support/names.ts";
import { portalOf } from "../../support/portal.ts";
import { membershipName, sideOptions, sidesOf } from "../names.ts";

export default defineGenerator({
  name: "fw:saas:welcome",
  summary: "Create the page of an account without a tenant: it creates one, or accepts an invitation",
  example: "fw generate fw:saas:welcome --user_model=Customer --entity_model=Organization --portal=dashboard_portal",
  options: {
    ...sideOptions,
    portal: { summary: "The portal that an account without a tenant asked for", value: "PORTAL" },
  },
  directory: import.meta.dirname,
  async run({ options, app, changes, template }) {
    const sides = sidesOf(app, options);
    const portal = await portalOf(app, options.portal);
    const invite = `${membershipName(sides.entity.constant, sides.user.constant)}Invite`;
    const invitation = app.models().find(({ constant }) => constant === invite);
    const name =
      app.has("app/controllers/welcome_controller.ts") &&
      !changes.read("app/controllers/welcome_controller.ts")!.includes(`Authlib("${sides.account}")`)
        ? `${sides.account}_welcome`
        : "welcome";
    const locals = {
      account: sides.account,
      controller: `${camelize(name)}Controller`,
      membership: demodulize(sides.membership.constant),
      membership_path: importPath(sides.membership.path),
      invitation: invitation ? demodulize(invitation.constant) : "",
      invitation_path: invitation ? importPath(invitation.path) : "",
      mount: mountOf(changes.read("config/routes.ts") ?? "", portal),
    };
    template(`app/controllers/${name}_controller.ts`, "controller.ts", locals);
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
    const concern = `packages/${portal}/app/controllers/${portal}/concerns/controller.ts`;
    const membership = locals.membership;
    changes.edit(concern, (text) =>
      text.replace(`Members(${membership})`, `Members(${membership}, { welcome: "/${at}" })`),
    );
  },
});

/** Where the routes mount a portal. */
export function mountOf(routes: string, portal: string): string {
  const found = new RegExp(`mount\\(\\s*${camelize(portal)}\\s*,\\s*\\{\\s*at:\\s*["']([^"']+)["']`).exec(routes);
  return found?.[1] ?? `/${portal.replace(/_portal$/, "")}`;
}
