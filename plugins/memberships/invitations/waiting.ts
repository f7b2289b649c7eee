import type { RequestContext } from "framewright/host";
import type { AuthlibBase } from "framewright/plugins/authlib";
import type { BaseModel, ModelClass, Query } from "framewright/plugins/database";
import { shapeOf } from "../shape.ts";
import { isValid, tenantKey } from "./accept.ts";
import { type InvitationRecord, pendingOnly } from "./invitation.ts";

/** The most invitations that are listed. */
const MAX_LISTED = 20;

/** An invitation that waits for a person. */
export interface WaitingInvitation {
  id: number;
  /** The tenant's label. */
  tenant: string;
  role: string;
}
interface Models {
  membership: { new (): BaseModel };
  invitation?: { new (): BaseModel };
}
interface Pending {
  where: Function;
  whereNull: Function;
  limit(count: number): Promise<unknown>;
}

/** The valid invitations to a person's verified address. */
export async function waitingFor(
  request: RequestContext,
  authlib: AuthlibBase,
  { invitation, membership }: Models,
): Promise<WaitingInvitation[]> {
  if (!invitation || !authlib.isVerified) return [];
  const database = request.kernel.service("database");
  const shape = shapeOf(request.kernel, membership);
  const model = database.model(invitation as ModelClass);
  const key = tenantKey(model, shape);
  const email = authlib.normalizeLogin(authlib.loginOf(authlib.account!));
  const query = (database.query(invitation) as Query<InvitationRecord>).where("email", email as never);
  const found = (await pendingOnly(query as never as Pending, model.table).limit(MAX_LISTED)) as InvitationRecord[];
  const listed: WaitingInvitation[] = [];
  for (const one of found) {
    const tenantId = Number((one as unknown as Record<string, unknown>)[key]);
    if (!(await isValid(request, one, shape, tenantId))) continue;
    const tenants = database.query(shape.entity.target.class as { new (): BaseModel });
    const tenant = (await tenants.findById(tenantId)) as unknown as BaseModel;
    listed.push({ id: one.$id() as number, tenant: tenant.toLabel(), role: one.role });
  }
  return listed;
}
