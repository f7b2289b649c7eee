import type { Params } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { Attribute } from "../definition/attributes.ts";
import { typedList } from "../pages/typed_text.ts";
import type { ResourceRequest } from "../request.ts";
import { linkedRecords } from "./links.ts";

/** Whether several records are chosen for an attribute. */
export const isLinks = ({ association }: Attribute): boolean => association?.kind === "hasMany";

/** The ids that are chosen for an association of many: what was typed, else what is stored and the person may see. */
export async function chosenLinks(
  controller: ResourceRequest,
  { name, association }: Attribute,
  { record, typed }: { record: BaseModel | undefined; typed: Params | undefined },
): Promise<readonly string[]> {
  if (typed?.has(name)) return typedList(typed, name);
  const linked = record ? await linkedRecords(controller, association!, record) : [];
  return linked.map((one) => String(one.$id()));
}
