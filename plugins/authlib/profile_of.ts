import type { BaseController } from "framewright/host";
import { BaseModel, ModelInfo } from "framewright/plugins/database";

/** Module-level: found by a request, and freed with it. */
const profiles = new WeakMap<object, Promise<BaseModel | undefined>>();

/** The record of the account's association `profile`, read once a request, and left at the account. */
export function profileOf({ request, currentUser }: BaseController): Promise<BaseModel | undefined> {
  let profile = profiles.get(request);
  if (!profile) {
    profile = readProfile(request, currentUser);
    profiles.set(request, profile);
  }
  return profile;
}

async function readProfile({ kernel }: BaseController["request"], account: unknown): Promise<BaseModel | undefined> {
  if (!(account instanceof BaseModel) || !ModelInfo.ofRecord(account).associations.has("profile")) return undefined;
  const found = (await kernel.service("database").related(account, "profile").first()) as BaseModel | undefined;
  const record = account as BaseModel & { profile?: BaseModel | null };
  record.profile ??= found ?? null;
  return found;
}
