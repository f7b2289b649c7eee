import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Eta, type TemplateFunction } from "eta";
import { escapeHtml, SafeHtml } from "framewright/host";
import { FramewrightError, messageOf } from "framewright/kernel";
import type { ViewRoot } from "framewright/plugins/views";

const RANKS: readonly ViewRoot["rank"][] = ["application", "portal", "plugin", "framework"];
const NAME = /^[a-z0-9_]+(?:\/[a-z0-9_]+)*$/;

interface Compiled {
  readonly template: TemplateFunction;
  readonly changedAt: number;
}

/** Templates of Eta below the same folders as those in Liquid. Output is escaped, but for SafeHtml. */
export class EtaTemplates {
  readonly #eta = new Eta({
    autoEscape: true,
    escapeFunction: (value) => (value instanceof SafeHtml ? value.toString() : escapeHtml(String(value ?? ""))),
  });
  readonly #roots: ViewRoot[] = [];
  readonly #compiled = new Map<string, Compiled>();
  readonly #isCached: boolean;

  /** `cache`: a template is read once, and later changes are ignored. */
  constructor({ cache }: { cache: boolean }) {
    this.#isCached = cache;
  }

  addRoot(root: ViewRoot): void {
    this.#roots.push(root);
    this.#roots.sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank));
  }

  /** The file of a name as a portal sees it, searched as views in Liquid are. */
  find(portal: string | undefined, name: string): string | undefined {
    if (!NAME.test(name)) return undefined;
    return this.#roots
      .filter((root) => root.portal === undefined || root.portal === portal)
      .map(({ directory }) => join(directory, `${name}.eta`))
      .find((file) => this.#compiled.has(file) || statSync(file, { throwIfNoEntry: false })?.isFile());
  }

  /** @throws FW_VIEW_FAILED with the file's path */
  render(file: string, locals: Record<string, unknown>): string {
    try {
      return this.#eta.render(this.#template(file), locals);
    } catch (cause) {
      const failure = new FramewrightError("FW_VIEW_FAILED", `${file} could not be rendered: ${messageOf(cause)}`);
      throw Object.assign(failure, { cause });
    }
  }

  #template(file: string): TemplateFunction {
    const known = this.#compiled.get(file);
    if (known && this.#isCached) return known.template;
    const changedAt = statSync(file).mtimeMs;
    if (known?.changedAt === changedAt) return known.template;
    const template = this.#eta.compile(readFileSync(file, "utf8"));
    this.#compiled.set(file, { template, changedAt });
    return template;
  }
}
