import { setTimeout as sleep } from "node:timers/promises";
import type { Mail } from "./inbox.ts";
import type { World } from "./world.ts";

export interface Note {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly paper: { key: string; filename: string; size: number } | null;
  readonly tenant: string;
}
/** What is there after the load. */
export interface Stored {
  readonly notes: readonly Note[];
  readonly lines: readonly { kind: string; mark: string }[];
  readonly orders: readonly { mark: string; tenant: string }[];
  readonly accounts: readonly { login: string; status: string }[];
  readonly mails: readonly Mail[];
  /** The texts of files by key. */
  readonly files: ReadonlyMap<string, string>;
  /** One line for each query that nodes answer differently. */
  readonly differences: readonly string[];
}

const queries = {
  notes:
    "select n.id, title, body, paper, o.name tenant from notes n join organizations o on o.id = organization_id order by n.id",
  lines: "select kind, mark from `lines` order by id",
  orders: "select mark, o.name tenant from orders r join organizations o on o.id = organization_id order by r.id",
  accounts: "select email login, account_status status from customers order by id",
};
const NODES = [0, 1, 2];

export async function readStored({ galera, inbox, bucket }: World): Promise<Stored> {
  await sleep(1000); // the last writes reach the other nodes
  const differences: string[] = [];
  const rows = async <T>(name: keyof typeof queries): Promise<T[]> => {
    const inTest = queries[name].replace(/(from|join) (`?\w+`?)/g, "$1 test.$2");
    const [first, ...others] = await Promise.all(NODES.map((node) => galera.query(node, inTest)));
    for (const [index, other] of others.entries())
      if (JSON.stringify(other) !== JSON.stringify(first))
        differences.push(
          `${name}: node 1 has ${first!.length} rows, node ${index + 2} has ${other.length}, and not the same`,
        );
    return first as T[];
  };
  const files = new Map<string, string>();
  for (const key of await bucket.keys()) files.set(key, (await bucket.text(key)) ?? "");
  return {
    notes: (await rows<Note>("notes")).map(parsed),
    lines: await rows("lines"),
    orders: await rows("orders"),
    accounts: await rows("accounts"),
    ...{ mails: inbox.mails, files, differences },
  };
}

const parsed = ({ paper, ...rest }: Note): Note => ({
  ...rest,
  paper: typeof paper === "string" ? JSON.parse(paper) : paper,
});
