import { openSealer } from "framewright/host";
import { type FieldType, type FieldTypeTable, fromStored, toStored } from "framewright/plugins/fields";
import type {
  AnyInteractionAttributes,
  BackgroundProblem,
  BackgroundRunInfo,
  RefusalKind,
} from "framewright/plugins/resources";
import type { StoredFile } from "framewright/plugins/storage";
import type { RunRow } from "./run.ts";

/** What a job needs to act where the person did; stored sealed. Plugins that add a kind of runs declare what theirs have besides. */
export interface RunContent {
  readonly verb: string;
  readonly pattern: string;
  readonly url: string;
  readonly host: string | undefined;
  readonly mountPath: string;
  readonly routeParams: Readonly<Record<string, string>>;
  /** The person's time zone, where it was known: the days of filters are the person's. */
  readonly timeZone?: string | undefined;
  readonly locale?: string | undefined;
  /** The id of the record that the run is for, whose address may be another's later; undefined for a list. */
  readonly record?: string | undefined;
  /** The ids that were selected in the list; undefined for all of it. */
  readonly ids?: readonly string[] | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** The files among the values, by their names. */
  readonly files?: Readonly<Record<string, StoredFile>> | undefined;
  /** The path of the run's page, without its id; of an import, of its own page. */
  readonly page: string;
}

/** What went wrong in a run: how many records were refused for what, and the first problems. Plugins add what their kinds keep. */
export interface RunProblems {
  readonly reasons: Readonly<Partial<Record<RefusalKind, number>>>;
  readonly problems: readonly BackgroundProblem[];
}
type Bound = Pick<RunRow, "resource" | "action" | "owner_type" | "owner_id" | "tenant">;

/** Encrypts what runs store, bound to the action, the owner and the tenant. */
export class RunSealer {
  readonly #texts: ReturnType<typeof openSealer>;

  constructor(secrets: readonly string[]) {
    this.#texts = openSealer(secrets, "background runs");
  }
  seal(value: RunContent | RunProblems, run: Bound): string {
    return this.#texts.seal(JSON.stringify(value), boundTo(run));
  }
  /** The content of a run; undefined where it has ended, or the secret is unavailable. */
  content(run: RunRow): RunContent | undefined {
    return this.#open(run.content, run) as RunContent | undefined;
  }
  problems(run: RunRow): RunProblems {
    return (this.#open(run.problems, run) as RunProblems | undefined) ?? { reasons: {}, problems: [] };
  }
  info(run: RunRow): BackgroundRunInfo {
    const { id, resource, action, state, total, done, refused, failed } = run;
    const { file: _, ...problems } = this.problems(run); // whoever has its key could read it
    const counts = { total, done, refused, failed, ...problems };
    const times = { createdAt: run.created_at, finishedAt: run.finished_at ?? undefined };
    return { id, resource, action, portal: run.portal ?? undefined, state, ...counts, ...times };
  }
  #open(sealed: string | null, run: Bound): unknown {
    const text = sealed === null ? undefined : this.#texts.open(sealed, boundTo(run));
    return text === undefined ? undefined : JSON.parse(text);
  }
}
const boundTo = ({ resource, action, owner_type, owner_id, tenant }: Bound): string =>
  JSON.stringify([resource, action, owner_type, owner_id, tenant]);

/** The values of an interaction's inputs as JSON has them; files are none. */
export const storedValues = (
  values: Readonly<Record<string, unknown>>,
  attributes: AnyInteractionAttributes,
  types: FieldTypeTable,
): Record<string, unknown> => mapped(values, attributes, types, toStored);

/** The values as `execute` gets them: JSON has no dates. */
export function valuesOf(
  { values }: RunContent,
  attributes: AnyInteractionAttributes,
  types: FieldTypeTable,
): Record<string, unknown> {
  return mapped(values, attributes, types, fromStored);
}

function mapped(
  values: Readonly<Record<string, unknown>>,
  attributes: AnyInteractionAttributes,
  types: FieldTypeTable,
  change: (type: FieldType, value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = types.get(attributes[name]?.as ?? "");
      return [name, type ? change(type, value) : value];
    }),
  );
}
