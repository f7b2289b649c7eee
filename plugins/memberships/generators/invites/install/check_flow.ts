import { type ApplicationFiles, type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import { resourceOf } from "../../../../../generators/toolkit/index.ts";
import { membershipOf } from "../../saas/api_client/membership.ts";
import { oneOf, type Sides } from "../../saas/names.ts";

/** A flow of invitations that is requested. */
export interface Flow {
  sides: Sides;
  portal: string;
  /** The model of the invitations. */
  constant: string;
}

/**
 * Refuses models and portals that don't make one flow.
 * @throws FW_FLAG_VALUE, FW_PORTAL_ACCOUNT
 */
export function checkFlow(context: GeneratorContext, flow: Flow): void {
  checkInvitations(context, flow);
  checkPortal(context, flow);
}

/** The tenants have the column, by the migrations that name their table; without it nobody could be invited. @throws FW_FLAG_VALUE */
export function checkDomainColumn(app: ApplicationFiles, { constant }: ModelFile, column: string): void {
  const { table } = resourceOf(constant);
  const texts = app
    .migrations()
    .map((path) => app.read(path))
    .filter((text) => text.includes(`"${table}"`));
  if (texts.length === 0 || texts.some((text) => text.includes(`"${column}"`))) return;
  throw usage.FW_FLAG_VALUE("--enforce_domain", `a column of ${constant}; no migration of ${table} has "${column}"`);
}

/** An existing model of invitations is that of this flow. */
function checkInvitations({ app }: GeneratorContext, { constant, sides }: Flow): void {
  const found = app.models().find((model) => model.constant === constant);
  if (!found || invites(app, found, sides)) return;
  const [user, entity] = [sides.user.constant, sides.entity.constant];
  throw usage.FW_FLAG_VALUE(
    "--invite_model",
    `a new model, or that of invitations of ${user} into ${entity}; ${constant} exists and is another`,
  );
}

/** Whether a model is that of invitations of these accounts into these tenants. */
export function invites(app: ApplicationFiles, model: ModelFile, { user, entity }: Sides): boolean {
  const text = app.read(model.path);
  const tenant = new RegExp(`\\b${oneOf(entity.constant)}\\s*:\\s*belongsTo\\(`);
  const inviter = new RegExp(`\\binviter\\s*:\\s*belongsTo\\(\\{[^}]*"${user.constant}"`);
  return /\bInvitation(?:Base)?\(/.test(text) && tenant.test(text) && inviter.test(text);
}

/** The members who invite are in the portal, and those who accept can enter it. */
function checkPortal(context: GeneratorContext, { sides, portal }: Flow): void {
  const { entity, user, membership, account } = sides;
  if (membershipOf(context, portal, entity, "--entity_model").constant !== membership.constant)
    throw usage.FW_FLAG_VALUE("--portal", `a portal that is entered by ${membership.constant}; ${portal} is not`);
  const concern = `packages/${portal}/app/controllers/${portal}/concerns/controller.ts`;
  if (!context.changes.read(concern)!.includes(`Authlib("${account}")`))
    throw usage.FW_PORTAL_ACCOUNT(portal, user.constant, [account], concern);
}
