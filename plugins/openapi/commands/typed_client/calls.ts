import type { OpenApiDocument, Operation, OperationVerb, Schema } from "../../contract.ts";
import { nameOf } from "./types.ts";

/** The name of the group of operations that sign somebody in. */
const SIGN_IN = "SignIn";
/** What a client takes besides: no parameter of its paths can be given under these names. */
const OPTIONS: ReadonlySet<string> = new Set([
  "url",
  "token",
  "login",
  "tokens",
  "onTokens",
  "headers",
  "retries",
  "timeout",
  "fetch",
]);
const verbs: readonly OperationVerb[] = ["get", "post", "put", "patch", "delete"];

/** An operation, with what its path shares with others. References are resolved but for those to schemas. */
export interface DescribedCall {
  readonly path: string;
  readonly verb: OperationVerb;
  readonly operation: Operation;
  readonly parameters: readonly Schema[];
}

/** What a client is written from. */
export interface Calls {
  /** The beginning that all paths share: `/customer/{organization_id}`. */
  readonly base: string;
  readonly calls: readonly DescribedCall[];
  /** The paths that give tokens. */
  readonly signIn: string | undefined;
  readonly refresh: string | undefined;
}

/** The operations of a document, those of signing in apart. */
export function callsOf(document: OpenApiDocument): Calls {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    verbs.flatMap((verb): DescribedCall[] => {
      const operation = item[verb];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return [{ path, verb, operation, parameters: parameters.map((one) => resolved(document, one)) }];
    }),
  );
  const [signs, calls] = [all.filter(isSignIn), all.filter((one) => !isSignIn(one))];
  const of = (ending: string) => signs.find(({ path }) => path.endsWith(ending))?.path;
  return { base: sharedBase(calls.map(({ path }) => path)), calls, signIn: of("/login"), refresh: of("/jwt-refresh") };
}

const isSignIn = ({ operation }: DescribedCall): boolean => operation.tags?.includes(SIGN_IN) ?? false;

/** A component that a reference names, in place of the reference. */
export function resolved(document: OpenApiDocument, schema: Schema): Schema {
  if (typeof schema.$ref !== "string") return schema;
  const kind = schema.$ref.split("/").at(-2) as keyof OpenApiDocument["components"];
  return document.components[kind]?.[nameOf(schema.$ref)] ?? {};
}

/** The segments that all paths begin with, but for the last one of each. */
function sharedBase(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split("/").slice(0, -1));
  let count = first.length;
  for (const other of others) {
    const end = first.findIndex((segment, at) => other[at] !== segment);
    if (end !== -1) count = Math.min(count, end);
  }
  const own = first.slice(0, count);
  const clash = own.findIndex((segment) => OPTIONS.has(/\{([^}]+)\}/.exec(segment)?.[1] ?? ""));
  return own.slice(0, clash === -1 ? count : clash).join("/");
}
