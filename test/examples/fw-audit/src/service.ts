import type { BaseController } from "framewright";
import type { Database } from "framewright/plugins/database";
import type { Resources } from "framewright/plugins/resources";
import type { Audit, AuditFilter, AuditLine, VisibleLines } from "./contract.ts";
import type { Lines } from "./lines.ts";
import type { Tenants } from "./tenants.ts";
import { auditable, visibleLines } from "./visible.ts";

const DAY_MS = 86_400_000;

export interface ServiceParts {
  readonly database: Database;
  readonly resources: Resources;
  readonly lines: Lines;
  readonly tenants: Tenants;
  readonly keepDays: number;
}

/** The service of the slot `audit`. */
export class AuditService implements Audit {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  lines(filter?: AuditFilter): Promise<readonly AuditLine[]> {
    return this.#parts.lines.read(filter);
  }

  async visible(controller: BaseController, filter: AuditFilter = {}): Promise<VisibleLines> {
    const { limit = 50, models = [] } = filter;
    const tenant = this.#parts.tenants.ofRequest(controller);
    const found = auditable(this.#parts, controller);
    const names = [...found.keys()].filter((name) => models.length === 0 || models.includes(name));
    if (tenant === null || names.length === 0) return { lines: [], next: undefined };
    const where = { ...filter, models: names, limit: limit + 1, ...(tenant === undefined ? {} : { tenant }) };
    const read = await this.lines(where);
    const page = read.slice(0, limit);
    return {
      lines: await visibleLines(this.#parts, controller, page, found),
      next: read.length > limit ? page.at(-1)?.id : undefined,
    };
  }

  isOpenTo(controller: BaseController): boolean {
    return this.#parts.tenants.ofRequest(controller) !== null && auditable(this.#parts, controller).size > 0;
  }

  async prune(): Promise<number> {
    const { keepDays, lines } = this.#parts;
    return keepDays === 0 ? 0 : lines.removeBefore(new Date(Date.now() - keepDays * DAY_MS));
  }
}
