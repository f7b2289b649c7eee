import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Application } from "framewright/host";
import { errors, usage } from "../errors.ts";
import { chooseEnvironment } from "../support/environment.ts";
import { applicationRoot, importDefault, withApp } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import type { CommandContext } from "./command.ts";
import writeTypes from "./types.ts";

type Action = (app: Application, options: CommandContext["options"]) => Promise<void>;
const migrations = (app: Application) => app.kernel.service("database", "fw").migrations;

const actions: Readonly<Record<string, Action>> = {
  async "db:migrate"(app) {
    printEach("migrated", await migrations(app).up(), "nothing to migrate");
  },
  async "db:rollback"(app, { steps }) {
    printEach("rolled back", await migrations(app).down(stepsOf(steps)), "nothing to roll back");
  },
  async "db:status"(app, { json }) {
    const status = await migrations(app).status();
    if (json) console.log(JSON.stringify(status, null, 2));
    else
      console.log(
        table(
          ["state", "migration"],
          status.map(({ name, applied }) => [applied ? "up" : "pending", name]),
        ),
      );
  },
  async "db:reset"(app) {
    if (app.settings.env === "production") throw errors.FW_RESET_PRODUCTION();
    printEach("rolled back", await migrations(app).down(Number.MAX_SAFE_INTEGER), "nothing to roll back");
    printEach("migrated", await migrations(app).up(), "nothing to migrate");
  },
  async "db:seed"(app) {
    const seed = await importDefault<unknown>(join(app.settings.root, "db/seeds.ts"));
    if (typeof seed !== "function") throw errors.FW_SEEDS_SHAPE("db/seeds.ts");
    await (seed as (app: Application) => unknown)(app);
    console.log("seeded");
  },
};
const changesTables = new Set(["db:migrate", "db:rollback", "db:reset"]);
/** A file in storage/ that is written when tables changed, so that `fw dev` restarts. */
export const MIGRATED_FILE = ".migrated";

export default async function database({ argv: [name], options }: CommandContext): Promise<void> {
  const root = applicationRoot();
  chooseEnvironment(options.env);
  await withApp({}, (app) => actions[name!]!(app, options));
  if (changesTables.has(name!)) {
    await writeTypes();
    if (existsSync(join(root, "storage")))
      writeFileSync(join(root, "storage", MIGRATED_FILE), new Date().toISOString());
  }
  if (name === "db:reset" && hasSeeds(root)) await withApp({}, (app) => actions["db:seed"]!(app, options));
}

const hasSeeds = (root: string): boolean => existsSync(join(root, "db/seeds.ts"));

function stepsOf(steps: unknown): number {
  if (steps === undefined) return 1;
  if (!/^[1-9]\d*$/.test(String(steps))) throw usage.FW_FLAG_VALUE("--steps", "a whole number, 1 or more");
  return Number(steps);
}

function printEach(done: string, names: readonly string[], none: string): void {
  for (const name of names) console.log(`${done} ${name}`);
  if (names.length === 0) console.log(none);
}
