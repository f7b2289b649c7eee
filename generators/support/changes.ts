import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errors } from "../errors.ts";
import { unifiedDiff } from "./diff.ts";
import type { RunLog } from "./drift/run.ts";
import { type CommitObserver, replaceAll } from "./journal.ts";

/** What happens to a file. `kept`: it was edited after it was generated, and is not changed. */
export type Outcome = "create" | "identical" | "edit" | "overwrite" | "kept";
/** What to do with a file that exists and differs from the generated text. */
export type Conflict = "overwrite" | "skip";
export interface Change {
  path: string;
  outcome: Outcome;
  before: string | undefined;
  after: string;
  /** The generator's run that drafted the file whole; undefined for an edit of part of it. */
  run?: RunLog;
}
interface Draft {
  before: string | undefined;
  text: string;
  /** The file is generated whole, so that a different text on disk is an edit. */
  whole: boolean;
  run?: RunLog;
}

/** A write transaction on an application's files: nothing touches the disk until `commit`. */
export class Changes {
  readonly root: string;
  /** The run whose drafts these are, while a generator runs. */
  run: RunLog | undefined;
  readonly #drafts = new Map<string, Draft>();
  readonly #hidden: ReadonlySet<string>;

  /** `hidden` files count as missing, as before they were generated. */
  constructor(root: string, hidden: ReadonlySet<string> = new Set()) {
    this.root = root;
    this.#hidden = hidden;
  }

  /** The text of a file: as drafted, else as on disk, with lines that end in LF. */
  read(path: string): string | undefined {
    return this.#drafts.get(path)?.text ?? withoutReturns(this.#onDisk(path));
  }

  exists(path: string): boolean {
    return this.#drafts.has(path) || (!this.isHidden(path) && existsSync(join(this.root, path)));
  }

  isHidden(path: string): boolean {
    return this.#hidden.has(path);
  }

  /** The paths of the drafted files. */
  paths(): string[] {
    return [...this.#drafts.keys()];
  }

  /** Drafts a whole file. */
  create(path: string, text: string): void {
    this.#drafts.set(path, {
      before: withoutReturns(this.#onDisk(path)),
      text,
      whole: true,
      ...(this.run && { run: this.run }),
    });
  }

  /** Edits part of an existing file. @throws FW_FILE_MISSING */
  edit(path: string, change: (text: string) => string): void {
    const text = this.read(path);
    if (text === undefined) throw errors.FW_FILE_MISSING(path);
    const draft = this.#drafts.get(path);
    const before = draft ? draft.before : text;
    this.#drafts.set(path, { whole: false, ...draft, before, text: change(text) });
  }

  /** Inserts lines above the marker comment, indented like it, unless they exist; without the marker, above the file's last `})`. @throws FW_PLACE_MISSING */
  insertAbove(path: string, marker: string | undefined, lines: string): void {
    this.edit(path, (text) => {
      if (lines.split("\n").every((line) => text.includes(line.trim()))) return text;
      const at =
        (marker && new RegExp(`^([ \\t]*)// ${marker}\\b.*$`, "m").exec(text)) ||
        [...text.matchAll(/^([ \t]*)\}\)+;?[ \t]*$/gm)].at(-1);
      if (!at) throw errors.FW_PLACE_MISSING(path, lines);
      const indent = at[0].trimStart().startsWith("//") ? at[1]! : `${at[1]}  `;
      const block = lines
        .split("\n")
        .map((line) => (line === "" ? "\n" : `${indent}${line}\n`))
        .join("");
      return text.slice(0, at.index) + block + text.slice(at.index);
    });
  }

  /** Adds an import below the last one, unless it exists. */
  addImport(path: string, line: string): void {
    this.edit(path, (text) => {
      if (text.includes(line)) return text;
      const last = [...text.matchAll(/^(?:import\b[^;]*;|\} from [^;]*;)[ \t]*\n/gm)].at(-1);
      const end = last ? last.index + last[0].length : 0;
      return `${text.slice(0, end)}${line}\n${text.slice(end)}`;
    });
  }

  /** What a commit would do, in the order drafted. */
  plan(decide: (change: Change) => Conflict = () => "skip"): Change[] {
    return [...this.#drafts].map(([path, draft]) => {
      const { run } = draft;
      const endings = hasReturns(this.#onDisk(path)) ? withReturns : (text: string) => text; // each file keeps its own
      const before = draft.before === undefined ? undefined : endings(draft.before);
      const after = endings(draft.text);
      const change: Change = { path, outcome: "create", before, after, ...(run && { run }) };
      if (before === undefined) return change;
      if (before === after) return { ...change, outcome: "identical" };
      if (!draft.whole) return { ...change, outcome: "edit" };
      return { ...change, outcome: decide(change) === "overwrite" ? "overwrite" : "kept" };
    });
  }

  /** Writes all changes or none. @throws FW_FILE_CHANGED, FW_WRITE_FAILED */
  commit(plan: readonly Change[], observe?: CommitObserver): void {
    const writes = plan.filter(({ outcome }) => outcome !== "identical" && outcome !== "kept");
    if (writes.length === 0) return;
    for (const { path, before } of writes) {
      if (this.#onDisk(path) !== before) throw errors.FW_FILE_CHANGED(path);
    }
    replaceAll(
      this.root,
      writes.map(({ path, before, after }) => ({ path, after, ...(before === undefined ? {} : { before }) })),
      observe,
    );
  }

  #onDisk(path: string): string | undefined {
    const full = join(this.root, path);
    return !this.isHidden(path) && existsSync(full) ? readFileSync(full, "utf8") : undefined;
  }
}

/** Whether all lines of a text end in CRLF, as where an editor or Git writes them so. */
const hasReturns = (text = ""): boolean => text.includes("\r\n") && !/(?<!\r)\n/.test(text);
const withoutReturns = <T extends string | undefined>(text: T): T =>
  (hasReturns(text) ? text!.replaceAll("\r\n", "\n") : text) as T;
const withReturns = (text: string): string => text.replaceAll("\n", "\r\n");

/** The diff of what committing a plan changes. */
export function diffOf(plan: readonly Change[]): string {
  return plan
    .filter(({ outcome }) => outcome !== "identical" && outcome !== "kept")
    .map(({ path, before, after }) => unifiedDiff(path, before, after))
    .join("");
}
