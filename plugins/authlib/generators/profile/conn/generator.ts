import { type ApplicationFiles, defineGenerator, type ModelFile, usage } from "framewright/generators";
import { accountTypesOf, portalOf } from "../../../../../generators/toolkit/index.ts";
import { connectByTemplates } from "../../../../resources/generators/toolkit/index.ts";
import { defaultName, userModelOf, userOption } from "../names.ts";

export default defineGenerator({
  name: "fw:profile:conn",
  summary:
    "Connect the profile to a portal: its page at /profile, the helper profile_url, and the link in the user menu",
  example: "fw generate fw:profile:conn --dest=customer_portal",
  args: "[Name]",
  options: { ...userOption, dest: { summary: "The portal", value: "PORTAL" } },
  directory: import.meta.dirname,
  async run(context) {
    const { args, options, app, note } = context;
    const user = userModelOf(app, options);
    const model = app.model(
      args[0] ?? defaultName(user),
      `fw generate fw:profile:install --user_model=${user.constant} creates one.`,
    );
    const portal = await portalOf(app, options.dest);
    checkSignIn(app, portal, user);
    connectByTemplates(context, { portal, model, options: '{ singular: true, as: "profile" }' });
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
