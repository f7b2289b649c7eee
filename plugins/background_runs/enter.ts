import { type Authentication, enterInBackground, openInBackground, type UploadedFile } from "framewright/host";
import type { Account } from "framewright/kernel";
import { bulkActionsOf } from "framewright/plugins/bulk_actions";
import { tenantKey } from "framewright/plugins/portals";
import type {
  InteractionClass,
  ResourceAction,
  ResourceController,
  ResourceHooks,
} from "framewright/plugins/resources";
import { isDenial, Refusal, type Registrations } from "framewright/plugins/resources/toolkit";
import type { RunContent } from "./content.ts";
import { errors } from "./errors.ts";
import type { RunRow } from "./run.ts";

/** What a run's resource, route and action are now. */
export interface RunAction {
  readonly content: RunContent;
  /** The files among its values. */
  readonly files: Readonly<Record<string, UploadedFile>>;
  readonly action: ResourceAction;
  readonly interaction: InteractionClass;
  /** Whether the records of a list are the targets, and not one record. */
  readonly onList: boolean;
}

/** Finds the action of a run; undefined where a newer release has none. */
export function actionOf(registry: Registrations, run: RunRow, content: RunContent): RunAction | undefined {
  const registration = registry.of(run.portal ?? undefined).get(run.resource);
  const action = registration?.definition.actions.get(run.action);
  const bulk = action?.bulk ? bulkActionsOf(registration!).find(({ key }) => key === run.action) : undefined;
  const interaction = bulk?.interaction ?? action?.interaction;
  if (!action || !interaction || !(bulk || interaction.inBackground) || !routeOf(registry, run, content))
    return undefined;
  return {
    content,
    files: {},
    action,
    interaction,
    onList: content.routeParams.id === undefined && (action.resourceAction === true || isOfSeveral(action, content)),
  };
}

/** Whether a run is for rows that were selected; one for a record names it. */
const isOfSeveral = ({ bulk }: ResourceAction, { record }: RunContent): boolean =>
  bulk === true && record === undefined;

const routeOf = ({ application }: Registrations, { portal }: RunRow, { verb, pattern }: RunContent) =>
  application.routeSets.get(portal ?? undefined)?.routes.find((one) => one.verb === verb && one.pattern === pattern);

/** What entering needs of the plugin. */
export interface EntryParts {
  readonly registry: Registrations;
  readonly hooks: Pick<ResourceHooks, "backgroundAccount">;
}

/** The account of a run as it is stored now; undefined where no plugin can find it, false where it may not act. */
export async function accountOf(
  { hooks }: EntryParts,
  controller: ResourceController,
  id: string,
): Promise<object | false | undefined> {
  const { authentication } = controller.constructor as { authentication?: Authentication };
  return hooks.backgroundAccount.promise({ authentication, id, request: controller.request });
}

/** A controller at the place of a run, that nobody has entered yet. */
export function controllerOf({ registry }: EntryParts, run: RunRow, content: RunContent): ResourceController {
  const { application } = registry;
  const engine = run.portal === null ? undefined : application.engines.get(run.portal);
  const place = { ...content, route: routeOf(registry, run, content)!, engine };
  return openInBackground(application, place) as ResourceController;
}

/**
 * A controller as a request of the run's person would have it now: the account is read again, and tenant, policies and
 * parent are found by the portal itself. `prepare` is given it before that. @throws Refusal, FW_BACKGROUND_ACCOUNT, and errors that keep the run from going on
 */
export async function enter(
  parts: EntryParts,
  run: RunRow,
  content: RunContent,
  prepare?: (controller: ResourceController) => void,
): Promise<ResourceController> {
  const controller = controllerOf(parts, run, content);
  prepare?.(controller);
  const account = await accountOf(parts, controller, run.owner_id);
  if (account === undefined) throw errors.FW_BACKGROUND_ACCOUNT(controller.constructor.name);
  if (account === false) throw new Refusal("account");
  const reply = await enterInBackground(controller, account as Account).catch((error: unknown) => {
    throw isDenial(error) ? new Refusal("entry") : error;
  });
  if (reply || tenantKey(controller.currentScopedEntity) !== run.tenant) throw new Refusal("entry");
  return controller;
}
