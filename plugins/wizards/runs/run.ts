import { BoundedCache, type ParamObject, type Sealer } from "framewright/host";
import { kindOf } from "framewright/plugins/fields/rows";
import type {
  FieldSpec,
  FlowSchema,
  Run,
  RunInfo,
  RunOutcome,
  RunRow,
  Staged,
  WizardClass,
} from "../contract/index.ts";

/** The size of the cache of opened tokens. */
const MAX_CACHED_TOKENS = 200;

/** The part of a run that changes as it advances. */
export interface RunContent {
  staged: Staged;
  aside: Run["aside"];
  drafts: Record<string, ParamObject>;
  visited: string[];
  reads: Record<string, readonly string[]>;
  persisted: Run["persisted"][number][];
  schema: FlowSchema;
  cursor: string;
}
/** A run, with the row that it was read from. */
export interface StoredRun extends Run {
  readonly row: RunRow;
}

/** What hooks see of a run: never its answers. */
export const runInfo = ({ row }: { row: RunRow }): RunInfo => ({
  id: row.id ?? 0,
  wizard: row.wizard,
  kind: row.kind,
  state: row.state,
  cursor: row.cursor,
  portal: row.portal ?? undefined,
  anchorType: row.anchor_type ?? undefined,
  anchorId: row.anchor_id ?? undefined,
  scopeGid: row.scope_gid ?? undefined,
  startedAt: row.started_at ?? undefined,
  updatedAt: row.updated_at,
});

/** Decodes rows to runs and encodes them back: texts are JSON, sealed where the wizard requires it, bound to the run's identity. */
export class RunCodec {
  readonly #sealer: Sealer;
  readonly #encryptData: boolean;
  /** Opened tokens: one request opens the same one several times. */
  readonly #tokens = new BoundedCache<string>(MAX_CACHED_TOKENS);

  constructor(sealer: Sealer, encryptData = false) {
    this.#sealer = sealer;
    this.#encryptData = encryptData;
  }

  /** Undefined for a run whose secret is no longer configured. */
  open(row: RunRow): StoredRun | undefined {
    try {
      return this.#runWith(row, this.#content(row));
    } catch (error) {
      if (error instanceof UnreadableError) return undefined;
      throw error;
    }
  }

  /** The run of a row that was written with this content, which need not be read from it again. */
  written(row: RunRow, content: RunContent): StoredRun {
    return this.#runWith(row, content);
  }

  /** The columns of a run's content, sealed for an identity. */
  columns(content: RunContent, { identity, wizard }: { identity: string; wizard: WizardClass }): Partial<RunRow> {
    const isAnySealed = isSealed(wizard, this.#encryptData) || hasAny(content.aside); // a secret of other steps may be aside
    const write = (name: string, value: object) =>
      isAnySealed ? this.#sealer.seal(JSON.stringify(value), `${identity} ${name}`) : JSON.stringify(value);
    return {
      data: write("data", hasAny(content.aside) ? { ...content.staged, [ASIDE]: content.aside } : content.staged),
      drafts: write("drafts", content.drafts),
      persisted: JSON.stringify(content.persisted),
      visited: JSON.stringify({ steps: content.visited, reads: content.reads }),
      schema_map: JSON.stringify(content.schema),
      cursor: content.cursor,
    };
  }
  sealToken(token: string, identity: string): string {
    return this.#sealer.seal(token, `${identity} token`);
  }

  /** The same texts, sealed for a new identity with the current secret. */
  rekeyedColumns(row: RunRow, identity: string): Partial<RunRow> {
    const change: Partial<RunRow> = { identity, ...(row.claim === null ? {} : { claim: identity }) };
    for (const name of ["data", "drafts", "token"] as const) {
      const text = row[name];
      if (text === null || isPlain(text)) continue;
      change[name] = this.#sealer.seal(this.#open(text, row, name), `${identity} ${name}`);
    }
    return change;
  }

  #content(row: RunRow): RunContent {
    const staged = this.#read<Staged>(row, "data", {});
    const aside = (staged[ASIDE] ?? {}) as Run["aside"];
    delete staged[ASIDE];
    const { visited, reads } = visitsOf(row);
    return {
      staged,
      aside,
      drafts: this.#read(row, "drafts", {}),
      persisted: this.#read(row, "persisted", []),
      visited,
      reads,
      schema: this.#read(row, "schema_map", {}),
      cursor: row.cursor,
    };
  }
  /** Each property by its name: copying objects into one costs more than reading the row. */
  #runWith(row: RunRow, content: RunContent): StoredRun {
    const info = runInfo({ row });
    return {
      id: info.id,
      wizard: info.wizard,
      kind: info.kind,
      state: info.state,
      cursor: content.cursor,
      portal: info.portal,
      anchorType: info.anchorType,
      anchorId: info.anchorId,
      scopeGid: info.scopeGid,
      startedAt: info.startedAt,
      updatedAt: info.updatedAt,
      staged: content.staged,
      aside: content.aside,
      drafts: content.drafts,
      visited: content.visited,
      reads: content.reads,
      persisted: content.persisted,
      schema: content.schema,
      version: row.version,
      token: row.token === null ? undefined : this.#token(row.token, row),
      returnTo: row.return_to ?? undefined,
      outcome: row.outcome === null ? undefined : (JSON.parse(row.outcome) as RunOutcome),
      notices: [],
      row,
    };
  }
  #token(sealed: string, row: RunRow): string {
    return this.#tokens.getOrMake(sealed, () => this.#open(sealed, row, "token"));
  }
  #read<T>(row: RunRow, name: "data" | "drafts" | "persisted" | "schema_map", otherwise: T): T {
    const text = row[name];
    if (text === null) return otherwise;
    return JSON.parse(isPlain(text) ? text : this.#open(text, row, name)) as T;
  }
  #open(text: string, { identity }: RunRow, name: string): string {
    const opened = this.#sealer.open(text, `${identity} ${name}`);
    if (opened === undefined) throw new UnreadableError();
    return opened;
  }
}

/** The column `visited`; before reads were stored it was the list of steps. */
function visitsOf({ visited }: RunRow): Pick<RunContent, "visited" | "reads"> {
  const stored = JSON.parse(visited) as string[] | { steps: string[]; reads: RunContent["reads"] };
  return Array.isArray(stored) ? { visited: stored, reads: {} } : { visited: stored.steps, reads: stored.reads };
}

/** Where the column `data` has what is set aside: no step has this key. */
const ASIDE = "";
const hasAny = (values: object): boolean => Object.keys(values).length > 0;

class UnreadableError extends Error {}

/** Sealed texts never begin with a bracket. */
const isPlain = (text: string): boolean => text.startsWith("{") || text.startsWith("[");

const isSealed = ({ metadata, flow }: WizardClass, byDefault: boolean): boolean =>
  (metadata.encryptData ?? byDefault) || flow.steps.some(({ fields }) => fields.some(isSecret));
const isSecret = (field: FieldSpec): boolean =>
  kindOf(field).isSecret || field.isEncrypted === true || field.fields.some(isSecret);

/** A copy that may be changed. */
export const copyContent = ({ staged, aside, drafts, visited, reads, persisted, schema, cursor }: Run): RunContent => ({
  staged: { ...staged },
  aside,
  drafts: { ...drafts },
  visited: [...visited],
  reads: { ...reads },
  persisted: [...persisted],
  schema,
  cursor,
});
