import type { GeneratorContext, ModelFile } from "framewright/generators";
import { filesOf, MAIN_APP, resourceOf } from "../../../../generators/toolkit/index.ts";
import scaffold from "../scaffold/generator.ts";
import { register, registeredIn } from "./registrations.ts";

const routes = "config/routes.ts";
const base = "app/controllers/resource_controller.ts";

/** Whether a controller states who may come in. */
const admits = (text = ""): boolean => /\b(PublicAccess|CurrentUser|Authlib|guests)\b/.test(text);

const accessNote = (controller: string, [account]: readonly string[]): string =>
  `Nobody may come in yet: ${controller} does not state who. Extend it through ${
    account === undefined
      ? "PublicAccess of framewright/plugins/portals"
      : `Authlib("${account}") of framewright/plugins/authlib, or PublicAccess of framewright/plugins/portals`
  }, as in: extends concern(ResourceController, ${account === undefined ? "PublicAccess" : `Authlib("${account}")`})`;

/** Registers resources in the application's own routes. Their feature's classes serve them; a resource without a policy gets those of a scaffold. */
export async function connectToMainApp(
  { app, changes, note, compose }: GeneratorContext,
  models: readonly ModelFile[],
  options: string,
): Promise<void> {
  const known = registeredIn(routes, changes.read(routes) ?? "", app.models());
  for (const model of models) {
    const { policy, controller } = filesOf(resourceOf(model.constant), model.package);
    if (!changes.exists(policy))
      await compose(scaffold, [model.constant], { no_model: true, dest: model.package ?? MAIN_APP });
    if (![controller, base].some((path) => admits(changes.read(path))))
      note(accessNote(changes.exists(controller) ? controller : base, app.accounts()));
    if (!known.has(model.constant)) register(changes, routes, model, { options, marker: "fw:mounts" });
    else if (options !== "")
      note(`${model.constant} is registered in ${routes} already. Its options there: ${options}`);
  }
}
