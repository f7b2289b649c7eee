import type { BaseModel, Database, ModelInfo } from "framewright/plugins/database";
import type { PersonalSource } from "framewright/plugins/personal_data";
import { isInvitation } from "./invitations/invitation.ts";
import { isMembership } from "./membership.ts";
import { columnOf, ownersOf, roleOf } from "./shape.ts";

/**
 * The memberships of a person, which end with an erasure, and the invitations to their address. The only owner of a tenant can't
 * be erased.
 */
export function membershipSource(database: Database): PersonalSource {
  const ofAccount = (account: ModelInfo) =>
    database.models().filter((model) => isMembership(model.class) && ownersOf(model).user?.target === account);
  const invitations = () => database.models().filter((model) => isInvitation(model.class));
  return {
    name: "memberships",
    covers: (model) => isMembership(model.class) || isInvitation(model.class),
    async *rows({ type, account, login }) {
      for (const model of ofAccount(type.model)) {
        const { user, entity } = ownersOf(model);
        const records = await database.query(model.class).where(columnOf(user!), account.id);
        for (const record of records as unknown as BaseModel[])
          yield {
            model: model.constant,
            tenant: entity && Reflect.get(record, columnOf(entity)),
            role: roleOf(record),
          };
      }
      if (login === "") return;
      for (const model of invitations())
        for (const record of await database.query(model.class).where({ email: login } as never)) {
          const { email, role, sent_at, expires_at, accepted_at } = record as unknown as Record<string, unknown>;
          yield { model: model.constant, email, role, sent_at, expires_at, accepted_at };
        }
    },
    async erase({ person: { type, account, login }, transaction, rowsDeleted }) {
      const remove = async (model: ModelInfo, own: Readonly<Record<string, unknown>>) => {
        const rows = () => database.query(model.class, transaction).where(own as never);
        const keys = (await rows()).map((record) => String(record.$id()));
        await rows().delete(); // throws for a last owner
        await rowsDeleted(model, keys);
      };
      for (const model of ofAccount(type.model)) await remove(model, { [columnOf(ownersOf(model).user!)]: account.id });
      if (login !== "") for (const model of invitations()) await remove(model, { email: login });
    },
  };
}
