import type { SafeHtml } from "framewright/host";
import { type Kernel, Registry } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceController } from "../controller.ts";
import { allows, type Policy } from "../definition/policy.ts";
import type { Entry } from "../entry/entry.ts";
import { errors } from "../errors.ts";
import type { Registration } from "../registration/registration.ts";

/** A part of a record's page that a plugin adds. */
export interface PanelOptions {
  /** The heading. */
  title: string;
  /** What it shows; undefined leaves the panel out. Loaded only where the policy permits the panel. */
  content(): SafeHtml | undefined | Promise<SafeHtml | undefined>;
  /** Before or after the record's sections and associations; "last" by default. */
  position?: "first" | "last";
  /** The predicate of the record's policy that permits it, as "audit" for `canAudit()`; a policy without it denies. */
  policy?: string;
}
/** The page of a record, for which plugins add panels. */
export interface PanelPage {
  readonly registration: Registration;
  readonly controller: ResourceController;
  readonly record: BaseModel;
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
  entries(): IterableIterator<[key: string, panel: PanelOptions]> {
    return this.#panels.entries();
  }
}

/** What stands before and after the page's own panels. */
export interface PlacedPanels<P> {
  first: P[];
  last: P[];
}

/** Asks plugins for panels, and draws those that the policy permits. */
export async function pluginPanels<P>(
  controller: ResourceController,
  entry: Entry,
  policy: Policy,
  draw: (key: string, title: string, content: SafeHtml) => P,
): Promise<PlacedPanels<P>> {
  const placed: PlacedPanels<P> = { first: [], last: [] };
  const { panels } = controller.resources.hooks;
  if (panels.taps.length === 0) return placed;
  const { registration } = controller;
  const list = new PanelList(registration.constant, controller.request.kernel);
  await panels.promise(list, { registration, controller, record: entry.record });
  for (const [key, { title, content, position = "last", policy: predicate }] of list.entries()) {
    if (predicate !== undefined && !allows(policy, predicate)) continue;
    const shown = await content();
    if (shown) placed[position].push(draw(key, title, shown));
  }
  return placed;
}
