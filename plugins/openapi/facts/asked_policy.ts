import { allows, type Policy, type Registration } from "framewright/plugins/resources";
import type { ListName } from "../contract.ts";
import { recordSamples } from "./record_samples.ts";

/** The names of a list of a policy; `varies` where a record may have others. */
export interface ListNames {
  readonly names: readonly string[];
  readonly varies: boolean;
}

/** What a policy reads of a record and a parent, while it is checked for one. */
function watched<T>(policy: Policy, record: unknown, ask: () => T): { answer: T | undefined; reads: Set<string> } {
  const reads = new Set<string>();
  for (const [name, value] of Object.entries({ record, parent: undefined, parentAssociation: undefined }))
    Object.defineProperty(policy, name, {
      configurable: true,
      get() {
        reads.add(name);
        return value;
      },
    });
  try {
    return { answer: ask(), reads };
  } catch {
    reads.add("record"); // of one that is not there
    return { answer: undefined, reads };
  }
}

/** Lists that are read without a record, also in requests. */
const withoutRecord = new Set<ListName>(["Index", "Create"]);

/** The names that a list of a policy may have: of a record that is not there, or of any of the samples where it depends on one. */
export function namesOf(policy: Policy, registration: Registration, list: ListName): ListNames {
  const ask = () => registration.permitted(policy, list);
  const first = watched(policy, undefined, ask);
  const dependsOnRecord = first.reads.has("record") && !withoutRecord.has(list);
  const names = new Set(first.answer ?? []);
  if (dependsOnRecord)
    for (const record of recordSamples(registration, policy))
      for (const name of watched(policy, record, ask).answer ?? []) names.add(name);
  const varies = dependsOnRecord || first.answer === undefined || first.reads.has("parent");
  return { names: [...names], varies };
}

/** Whether a policy may allow an action, of some record at least. */
export function mayAllow(policy: Policy, action: string): boolean {
  const { answer, reads } = watched(policy, undefined, () => allows(policy, action));
  return answer === true || reads.size > 0;
}
