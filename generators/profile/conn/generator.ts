import { usage } from "../../errors.ts";
import { defineGenerator } from "../../generator.ts";
import { register, registeredIn } from "../../res/conn/registrations.ts";
import { accountTypesOf } from "../../support/account_models.ts";
import { type ApplicationFiles, importPath, type ModelFile } from "../../support/application.ts";
import { portalOf } from "../../support/portal.ts";
import { filesOf, resourceOf } from "../../support/resource.ts";
import { defaultName, userModelOf, userOption } from "../names.ts";

export default defineGenerator({
  name: "fw:profile:conn",
  summary:
    "Connect the profile to a portal: its page at /profile, the helper profile_url, and the link in the user menu",
  example: "fw generate fw:profile:conn --dest=customer_portal",
  args: "[Name]",
  options: { ...userOption, dest: { summary: "The portal", value: "PORTAL" } },
  directory: import.meta.dirname,
  async run({ args, options, app, changes, template, note }) {
    const user = userModelOf(app, options);
    const model = app.model(args[0] ?? defaultName(user));
    const portal = await portalOf(app, options.dest);
    checkSignIn(app, portal, user);
    const resource = resourceOf(model.constant);
    const feature = filesOf(resource, model.package);
    const files = filesOf(resource, portal, `${portal}/`);
    const locals = {
      ...resource,
      portal,
      feature_controller: importPath(feature.controller),
      feature_policy: importPath(feature.policy),
      feature_definition: importPath(feature.definition),
    };
    template(files.controller, "controller.ts", locals);
    template(files.policy, "policy.ts", locals);
    template(files.definition, "definition.ts", locals);
    const routes = `packages/${portal}/config/routes.ts`;
    if (!registeredIn(routes, changes.read(routes) ?? "", app.models()).has(model.constant))
      register(changes, routes, model, '{ singular: true, as: "profile" }');
    note(`The profile is at /profile in ${portal}, and in its user menu.`);
  },
});

/** @throws FW_PORTAL_ACCOUNT where accounts of the model can't sign in to the portal */
function checkSignIn(app: ApplicationFiles, portal: string, user: ModelFile): void {
  const concern = `packages/${portal}/app/controllers/${portal}/concerns/controller.ts`;
  const text = app.has(concern) ? app.read(concern) : "";
  const names = accountTypesOf(app, user);
  if (!names.some((name) => text.includes(`Authlib("${name}")`)))
    throw usage.FW_PORTAL_ACCOUNT(portal, user.constant, names, concern);
}
