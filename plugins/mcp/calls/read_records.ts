import type { BaseController, Reply } from "framewright/host";
import type { OperationTool } from "../tools/portal_tools.ts";
import { addressOf } from "./address.ts";
import { digestOf } from "./confirmations.ts";
import type { InnerRequests } from "./inner_request.ts";

/** A record that a call would change, as the person may read it now. */
export interface ReadRecord {
  /** Its `ETag`; of one without, a digest of what is read of it. */
  readonly version: string;
  readonly etag: string | undefined;
  readonly data: unknown;
}

interface ReadParts {
  readonly requests: InnerRequests;
  readonly prefix: string;
  readonly routeOf: (path: string) => OperationTool["route"] | undefined;
}

/** Reads what a call is about; `refused` where the person does not see it. Of several records the call itself refuses those. */
export async function readRecords(
  parts: ReadParts,
  controller: BaseController,
  { recordPath, memberPath }: OperationTool,
  given: Readonly<Record<string, unknown>>,
): Promise<{ records: ReadRecord[] } | { refused: Reply }> {
  const path = recordPath ?? memberPath;
  const route = path && parts.routeOf(path);
  if (path === undefined || !route) return { records: [] };
  const all = recordPath === undefined ? idsOf(given).map((id) => ({ id })) : [{ id: given.id }];
  const records: ReadRecord[] = [];
  for (const one of all) {
    const url = addressOf(parts.prefix, controller, path, { ...given, ...one });
    const reply = await parts.requests.send(controller, { method: "GET", url, route });
    const isThere = reply.status < 300;
    if (!isThere && recordPath !== undefined) return { refused: reply };
    records.push(isThere ? recordOf(reply) : absent(one.id));
  }
  return { records };
}

/** One of several that is not there for the person, or not any more, as in a trash. */
const absent = (id: unknown): ReadRecord => ({ version: "", etag: undefined, data: { id, found: false } });

const idsOf = ({ ids }: Readonly<Record<string, unknown>>): unknown[] => (Array.isArray(ids) ? ids : []);

function recordOf({ body, headers }: Reply): ReadRecord {
  const { data } = JSON.parse(String(body)) as { data?: unknown };
  const etag = headers.etag === undefined ? undefined : String(headers.etag);
  return { version: etag ?? digestOf(data), etag, data };
}
