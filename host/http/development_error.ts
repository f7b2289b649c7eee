import { readFileSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "framewright/kernel";
import { describeRoute } from "../routing/route.ts";
import { loggedPath } from "./logged_path.ts";
import { isParamObject, type ParamObject } from "./params.ts";
import type { RequestContext } from "./request.ts";

const LINES_AROUND = 5;
const MAX_CAUSES = 5;
const FRAME = /^\s+at (?:(.*?) \()?(?:async )?((?:file:\/\/)?\/?[^():]*):(\d+):(\d+)\)?$/;

/** A line of a stack trace. */
interface Frame {
  /** The function; empty at the top of a module. */
  readonly name: string;
  /** The absolute path, or what Node calls a module of its own. */
  readonly file: string;
  readonly line: number;
  /** As it is printed: from the application's root on. */
  readonly place: string;
  readonly isOwn: boolean;
}
/** One error of a chain of causes, as the page of development shows it. */
export interface ShownError {
  readonly name: string;
  readonly message: string;
  /** The lines of the application's own code, the innermost first. */
  readonly frames: readonly Frame[];
  /** Those of Node, of the framework and of libraries. */
  readonly others: readonly Frame[];
  /** The source around the innermost own line. */
  readonly source: { readonly place: string; readonly lines: readonly SourceLine[] } | undefined;
}
interface SourceLine {
  readonly number: number;
  readonly text: string;
  readonly is_current: boolean;
}

/** An error and its causes, for the page that developers see. `root` is the application's folder. */
export function shownErrors(error: Error, root: string): ShownError[] {
  const folder = realpathSync(root);
  const shown: ShownError[] = [];
  for (let one: unknown = error; one !== undefined && shown.length < MAX_CAUSES; one = (one as Error).cause) {
    if (!(one instanceof Error)) {
      shown.push({ name: "Cause", message: messageOf(one), frames: [], others: [], source: undefined });
      break;
    }
    shown.push(shownError(one, folder));
  }
  return shown;
}

function shownError({ name, message, stack = "" }: Error, root: string): ShownError {
  const all = stack.split("\n").flatMap((line) => frameOf(line, root) ?? []);
  const frames = all.filter(({ isOwn }) => isOwn);
  const others = all.filter(({ isOwn }) => !isOwn);
  const [first] = frames;
  return { name, message, frames, others, source: first && sourceOf(first) };
}

function frameOf(line: string, root: string): Frame | undefined {
  const found = FRAME.exec(line);
  if (!found) return undefined;
  const [, name = "", path = "", number] = found;
  const file = path.startsWith("file://") ? fileURLToPath(path) : path;
  const isOwn = file.startsWith(root + sep) && !file.includes(`${sep}node_modules${sep}`);
  const place = `${isOwn ? relative(root, file) : file}:${number}`;
  return { name: name.replace(/^async /, ""), file, line: Number(number), place, isOwn };
}

function sourceOf({ file, line, place }: Frame): ShownError["source"] {
  try {
    const all = readFileSync(file, "utf8").split("\n");
    const from = Math.max(0, line - 1 - LINES_AROUND);
    const lines = all.slice(from, line + LINES_AROUND);
    return {
      place,
      lines: lines.map((text, index) => ({ number: from + index + 1, text, is_current: from + index + 1 === line })),
    };
  } catch {
    return undefined; // compiled code without its source
  }
}

/** The request, without values: forms and addresses may hold secrets. */
export function shownRequest(request: RequestContext): readonly ShownFact[] {
  const { method, route, query, body } = request;
  const facts: ShownFact[] = [{ name: "Request", value: `${method} ${loggedPath(request)}` }];
  if (route) facts.push({ name: "Route", value: `${route.verb} ${route.pattern} to ${describeRoute(route)}` });
  for (const [name, given] of [
    ["Query", query],
    ["Form", body],
  ] as const) {
    const names = namesIn(given.toObject());
    if (names.length > 0) facts.push({ name, value: names.join(", ") });
  }
  facts.push({ name: "ID", value: request.id });
  return facts;
}
const namesIn = (values: ParamObject): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isParamObject(value) ? Object.keys(value).map((inner) => `${name}[${inner}]`) : [name],
  );

/** A line of the table of a request. */
export interface ShownFact {
  readonly name: string;
  readonly value: string;
}
