import { type GeneratorRegistry, suggest } from "framewright/kernel";
import { errors, usage } from "./errors.ts";
import type { Generator } from "./generator.ts";

/** The framework's own generators. Each is loaded on first use. */
const builtIn: Readonly<Record<string, () => Promise<{ default: Generator }>>> = {
  "fw:core:install": () => import("./core/install/generator.ts"),
  "fw:pkg:package": () => import("./pkg/package/generator.ts"),
  "fw:pkg:portal": () => import("./pkg/portal/generator.ts"),
  "fw:model": () => import("./model/generator.ts"),
  "fw:migration": () => import("./migration/generator.ts"),
  "fw:res:scaffold": () => import("./res/scaffold/generator.ts"),
  "fw:res:field": () => import("./res/field/generator.ts"),
  "fw:res:interaction": () => import("./res/interaction/generator.ts"),
  "fw:res:conn": () => import("./res/conn/generator.ts"),
  "fw:authlib:install": () => import("./authlib/install/generator.ts"),
  "fw:authlib:account": () => import("./authlib/account/generator.ts"),
  "fw:authlib:admin": () => import("./authlib/admin/generator.ts"),
  "fw:authlib:upgrade": () => import("./authlib/upgrade/generator.ts"),
  "fw:profile:install": () => import("./profile/install/generator.ts"),
  "fw:profile:conn": () => import("./profile/conn/generator.ts"),
  "fw:profile:setup": () => import("./profile/setup/generator.ts"),
  "fw:saas:setup": () => import("./saas/setup/generator.ts"),
  "fw:saas:user": () => import("./saas/user/generator.ts"),
  "fw:saas:entity": () => import("./saas/entity/generator.ts"),
  "fw:saas:membership": () => import("./saas/membership/generator.ts"),
  "fw:saas:portal": () => import("./saas/portal/generator.ts"),
  "fw:saas:welcome": () => import("./saas/welcome/generator.ts"),
  "fw:saas:api_client": () => import("./saas/api_client/generator.ts"),
  "fw:invites:install": () => import("./invites/install/generator.ts"),
  "fw:invites:invitable": () => import("./invites/invitable/generator.ts"),
  "fw:wizards:install": () => import("./wizards/install/generator.ts"),
  "fw:jobs:install": () => import("./jobs/install/generator.ts"),
  "fw:background:install": () => import("./background/install/generator.ts"),
  "fw:slugs:install": () => import("./slugs/install/generator.ts"),
  "fw:dashboard": () => import("./dashboard/generator.ts"),
  "fw:wizard": () => import("./wizard/generator.ts"),
};

/** All generators of an application: the framework's, and those that its plugins add. */
export class Registry implements GeneratorRegistry {
  readonly #added = new Map<string, Generator>();

  /** @throws FW_GENERATOR_DUPLICATE */
  add(generator: Generator): void {
    if (generator.name in builtIn || this.#added.has(generator.name))
      throw errors.FW_GENERATOR_DUPLICATE(generator.name);
    this.#added.set(generator.name, generator);
  }

  names(): string[] {
    return [...Object.keys(builtIn), ...this.#added.keys()];
  }

  async all(): Promise<Generator[]> {
    const loaded = await Promise.all(Object.values(builtIn).map(async (load) => (await load()).default));
    return [...loaded, ...this.#added.values()];
  }

  /** Finds a generator by name; `fw:` may be omitted. */
  async find(name: string): Promise<Generator | undefined> {
    const full = this.names().find((known) => known === name || known === `fw:${name}`);
    if (full === undefined) return undefined;
    return this.#added.get(full) ?? (await builtIn[full]!()).default;
  }

  unknown(name: string): Error {
    const names = this.names();
    return usage.FW_GENERATOR_UNKNOWN(name, suggest(name, names) ?? suggest(`fw:${name}`, names));
  }
}

export const isBuiltIn = (name: string): boolean => name in builtIn || `fw:${name}` in builtIn;
