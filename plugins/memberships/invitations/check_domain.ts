import { suggest } from "framewright/kernel";
import type { ModelInfo } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import type { InvitationSettings } from "./invitation.ts";

/** Without the column nobody could be invited. Checked where the tables of all tenants are known. @throws FW_INVITATION_DOMAIN */
export function checkDomain(model: ModelInfo): void {
  const { enforceDomain } = model.class as Partial<InvitationSettings>;
  if (enforceDomain === undefined || !("perHour" in model.class)) return;
  const owners = [...model.associations.values()]
    .filter(({ kind }) => kind === "belongsTo")
    .map(({ target }) => target);
  if (owners.some(({ settled, columns }) => !settled || columns.has(enforceDomain))) return;
  const known = owners.flatMap(({ columns }) => [...columns.keys()]);
  throw errors.FW_INVITATION_DOMAIN(model.constant, enforceDomain, suggest(enforceDomain, known));
}
