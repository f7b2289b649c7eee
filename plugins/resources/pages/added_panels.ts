import type { SafeHtml } from "framewright/host";
import { type Kernel, Registry } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { Entry } from "../entry/entry.ts";
import { errors } from "../errors.ts";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";

/** A part of a record's page that a plugin adds. */
export interface PanelOptions {
  /** The heading. */
  title: string;
  /** What it shows; undefined leaves the panel out. Loaded only where the policy permits the panel; one that throws costs this panel alone. */
  content(): SafeHtml | undefined | Promise<SafeHtml | undefined>;
  /** Before or after the record's sections and associations; "last" by default. */
  position?: "first" | "last";
  /** The page of the record has its heading, and the content loads on its own once it is in sight, from `<record>/panels/<key>`. */
  lazy?: boolean;
  /** The predicate of the record's policy that permits it, as "audit" for `canAudit()`; a policy without it denies. */
  policy?: string;
}
/** The page of a record, for which plugins add panels. */
export interface PanelPage {
  readonly registration: Registration;
  readonly controller: ResourceRequest;
  readonly record: BaseModel;
}
/** The page of a record, before it is drawn. */
export interface RecordPage {
  readonly controller: ResourceRequest;
  readonly entry: Entry;
  /** What it shows, of what the person may read. */
  readonly names: string[];
  /** What is shown before that. */
  readonly lead: SafeHtml[];
}

/** The panels that plugins add to a record's page, by key. */
export class PanelList {
  readonly #panels: Registry<PanelOptions>;

  constructor(constant: string, kernel: Kernel) {
    const taken = (key: string, first: string, second: string) => errors.FW_PANEL_TAKEN(constant, key, first, second);
    this.#panels = new Registry("the panel", () => kernel.tapping(this), { taken });
  }

  /** @throws FW_PANEL_TAKEN */
  add(key: string, panel: PanelOptions): void {
    this.#panels.add(key, panel);
  }
  /** A key that no panel has yet. */
  freeKey(prefix: string): string {
    return `${prefix}_${[...this.#panels.entries()].length}`;
  }
  entries(): IterableIterator<[key: string, panel: PanelOptions]> {
    return this.#panels.entries();
  }
}
