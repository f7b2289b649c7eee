import { unprocessable } from "framewright/host";
import type { ResourceHooks } from "framewright/plugins/resources";
import { type IncludeLimits, type IncludeTree, readIncludes } from "./include_tree.ts";
import { linksOf } from "./links.ts";

/** A list or a record that is answered. */
export type JsonAnswer = Parameters<ResourceHooks["json"]["promise"]>[0];
/** A record as its reply has it. */
export type JsonRow = Record<string, unknown>;
interface Body {
  data: JsonRow | JsonRow[];
  meta?: { next?: string };
}

/**
 * Adds what the parameters of the address request to the JSON of a list or a record; a list gets the header `Link`.
 * @throws HttpError 422 naming the parameter
 */
export function completeAnswer(answer: JsonAnswer, limits: IncludeLimits): Promise<void> | void {
  const { controller, reply, list } = answer;
  const { search, query } = controller.request;
  const links = list && linksOf(controller.request, list);
  if (links?.header !== undefined) reply.headers.link = links.header;
  if (search === "" || reply.status !== 200 || reply.stream) return undefined;
  const tree = readIncludes(query, limits.includes);
  const columns = list ? undefined : readColumns(answer);
  return tree || columns ? changeBody(answer, { tree, columns, next: links?.next, limits }) : undefined;
}

interface Changes {
  tree: IncludeTree | undefined;
  columns: ReadonlySet<string> | undefined;
  next: string | undefined;
  limits: IncludeLimits;
}

async function changeBody({ controller, reply, entries, list }: JsonAnswer, changes: Changes): Promise<void> {
  const { tree, columns, next, limits } = changes;
  const body = JSON.parse(String(reply.body)) as Body;
  const rows = [body.data].flat();
  if (tree) {
    const { include } = await import("./include.ts"); // loaded with the first
    const names = list ? controller.listOf("Index") : entries[0]!.shownNames();
    const owners = entries.map((entry, at) => ({ entry, row: rows[at]!, names }));
    await include({ source: controller, names, limits, path: "" }, owners, tree);
  }
  if (columns)
    body.data = Object.fromEntries(
      Object.entries(body.data).filter(([name]) => columns.has(name) || name === "id" || name === "included"),
    );
  if (body.meta?.next !== undefined && next !== undefined) body.meta.next = next;
  reply.body = JSON.stringify(body);
}

/** `columns=title,status`, or a list as check boxes send it: as of lists. @throws HttpError 422 for what the record does not show */
function readColumns({ controller, entries }: JsonAnswer): ReadonlySet<string> | undefined {
  const { query } = controller.request;
  const given = query.get("columns");
  if (given === undefined || given === "") return undefined;
  const names = Array.isArray(given) ? given : (query.string("columns")?.split(",") ?? []);
  const shown = entries[0]!.shownNames();
  if (names.every((name): name is string => typeof name === "string" && shown.includes(name))) return new Set(names);
  const text = "names what the record does not show";
  throw unprocessable(`columns ${text}.`, { columns: [text] });
}
