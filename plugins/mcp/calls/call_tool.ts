import type { BaseController, Reply, Route } from "framewright/host";
import { CONFIRMATION } from "../tools/input_schema.ts";
import { type Parameter, queryOf } from "../tools/parameters.ts";
import type { OperationTool } from "../tools/portal_tools.ts";
import { addressOf } from "./address.ts";
import { CONFIRMATION_SECONDS, type Confirmations, type Refused } from "./confirmations.ts";
import { follow } from "./follow.ts";
import type { InnerRequests } from "./inner_request.ts";
import { type ReadRecord, readRecords } from "./read_records.ts";
import { dataResult, refusal, resultOf, type ToolResult } from "./results.ts";

/** What calls need besides the request. */
export interface CallParts {
  readonly requests: InnerRequests;
  readonly confirmations: Confirmations;
  /** The most records of one call. */
  readonly bulk: number;
  /** The prefix of the portal's own paths in a document. */
  readonly prefix: string;
  /** The route that reads a path of the document. */
  readonly routeOf: (path: string) => Route | undefined;
  /** The tools of the request. */
  readonly offered: () => Promise<readonly OperationTool[]>;
}

type Given = Readonly<Record<string, unknown>>;

/** Carries a tool out, as the account of the request: what reads at once, what writes once it is confirmed. */
export async function callTool(
  parts: CallParts,
  controller: BaseController,
  tool: OperationTool,
  given: Given,
): Promise<ToolResult> {
  const problem = problemOf(tool, given, parts.bulk);
  if (problem !== undefined) return refusal("FW_MCP_ARGUMENTS", problem);
  if (tool.verb === "get") return resultAt(parts, controller, await send(parts, controller, tool, given));
  return write(parts, controller, tool, given);
}

async function write(
  parts: CallParts,
  controller: BaseController,
  tool: OperationTool,
  given: Given,
): Promise<ToolResult> {
  const { [CONFIRMATION]: text, ...own } = given;
  const read = await readRecords(parts, controller, tool, own);
  if ("refused" in read) return notRead(read.refused);
  const { records } = read;
  const planned = { tool: tool.tool.name, given: own, versions: records.map(({ version }) => version) };
  if (text === undefined) return preview(tool, own, records, parts.confirmations.issue(controller, planned));
  const refused = await parts.confirmations.redeem(controller, planned, String(text));
  if (refused !== undefined) return refusal("FW_MCP_CONFIRMATION", reasons[refused]);
  const version = tool.recordPath === undefined ? undefined : records[0]?.etag;
  return resultAt(parts, controller, await send(parts, controller, tool, own, version), true);
}

/** The result of a reply; of one that leads elsewhere, what is read there. */
async function resultAt(
  parts: CallParts,
  controller: BaseController,
  reply: Reply,
  isWritten = false,
): Promise<ToolResult> {
  const { reply: last, address } = await follow(parts, controller, reply);
  return resultOf(last, address, isWritten);
}

const reasons: Readonly<Record<Refused, string>> = {
  unknown:
    "this confirmation is not for this call: tool and arguments must be those that it was given for, and the key too. Call the tool without it.",
  expired: "this confirmation is older than five minutes. Call the tool again without it.",
  changed: "the record was changed since. Call the tool again without the confirmation, to see what it would do now.",
  used: "this confirmation was used. Call the tool again without it to do the same once more.",
};

/** A record that is not there, or what has another address by now, as a step of a wizard that went on. */
const notRead = (reply: Reply): ToolResult =>
  reply.status >= 400
    ? resultOf(reply)
    : refusal(
        "FW_MCP_MOVED",
        `what this is about has moved on to ${String(reply.headers.location)}. Nothing was done.`,
      );

/** What the call would do, with the records as they are now. */
function preview(tool: OperationTool, given: Given, records: readonly ReadRecord[], confirmation: string): ToolResult {
  const answer = {
    would: tool.summary,
    done: false,
    ...(tool.recordPath === undefined ? {} : { record: records[0]?.data }),
    ...(tool.memberPath === undefined ? {} : { records: records.map(({ data }) => data) }),
    given,
    confirmation,
    expires_in: CONFIRMATION_SECONDS,
    next: `Nothing was written. To do it, call ${tool.tool.name} with the same arguments and this confirmation.`,
  };
  return dataResult(JSON.stringify(answer));
}

/** Why arguments can't be sent; what is wrong with their values, the application reports. */
function problemOf({ names, tool, parameters }: OperationTool, given: Given, bulk: number): string | undefined {
  const unknown = Object.keys(given).find((name) => !names.has(name));
  if (unknown !== undefined) return `"${unknown}" is no argument of ${tool.name}: there are ${[...names].join(", ")}.`;
  for (const name of (tool.inputSchema.required ?? []) as string[])
    if (given[name] === undefined || given[name] === null) return `"${name}" is missing.`;
  for (const { name, in: place } of parameters)
    if (place === "path" && !isSegment(given[name])) return `"${name}" takes a text or a number.`;
  const long = Object.entries(given).find(([, value]) => Array.isArray(value) && value.length > bulk);
  if (long && tool.annotations.readOnlyHint !== true)
    return `"${long[0]}" has more than ${bulk}, which is the most that one call does.`;
  if (typeof (given[CONFIRMATION] ?? "") !== "string") return `"${CONFIRMATION}" takes a text.`;
  return queryProblem(parameters, given);
}

/** A path ends where a segment is empty, and goes up where it has dots. */
const isSegment = (value: unknown): boolean =>
  (typeof value === "number" && Number.isFinite(value)) || (typeof value === "string" && !/^\.{0,2}$/.test(value));

function queryProblem(parameters: readonly Parameter[], given: Given): string | undefined {
  try {
    queryOf(parameters, given);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

async function send(
  parts: CallParts,
  controller: BaseController,
  tool: OperationTool,
  given: Given,
  version?: string,
): Promise<Reply> {
  const query = queryOf(tool.parameters, given);
  const address = addressOf(parts.prefix, controller, tool.path, given);
  const url = query === "" ? address : `${address}?${query}`;
  const body = tool.body && Object.fromEntries(Object.entries(given).filter(([name]) => tool.body!.has(name)));
  return parts.requests.send(controller, {
    ...{ method: tool.verb.toUpperCase(), url, route: tool.route, version },
    ...(body ? { body } : {}),
  });
}
