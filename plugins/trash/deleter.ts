import { currentOrigin } from "framewright/host";
import { BaseModel, type ModelInfo, referenceOf } from "framewright/plugins/database";
import { labelOf, type ResourceRequest } from "framewright/plugins/resources";

const MAX_CHARS = 255;

/** Who deletes, as the trash stores it: who really acts, where that is somebody else. Null for nobody, and for accounts that are no records. */
export function deleterNow(): string | null {
  const request = currentOrigin()?.request;
  const account = request?.controller?.currentUser;
  const user: unknown = request?.actorFor(account) ?? account;
  if (!(user instanceof BaseModel)) return null;
  const reference = referenceOf(user);
  return reference.length > MAX_CHARS ? null : reference;
}

/** The names of the people who deleted records, by what is stored; of those alone that the person of a request may see. */
export async function deleterNames(
  controller: ResourceRequest,
  stored: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const reference of new Set(stored)) {
    const [, constant = "", id = ""] = /^([^/]+)\/(.+)$/s.exec(reference ?? "") ?? [];
    const model = modelOf(controller, constant);
    const record = model && (await find(controller, model, id));
    if (record) names.set(reference!, labelOf(controller, record));
  }
  return names;
}

const modelOf = ({ resources: { database } }: ResourceRequest, constant: string): ModelInfo | undefined =>
  database.models().find((model) => model.constant === constant);

/** Oneself, and others as far as the portal shows them. */
async function find(controller: ResourceRequest, model: ModelInfo, id: string): Promise<BaseModel | undefined> {
  const { currentUser, resources, request } = controller;
  if (currentUser instanceof BaseModel && referenceOf(currentUser) === `${model.constant}/${id}`) return currentUser;
  const key = model.key.parse(id);
  if (key === undefined || !resources.registry.nearest(request.engine?.name, model)) return undefined;
  return resources.database.readFirst(model.key.where(resources.visible(controller, model), key));
}
