import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Application } from "framewright/host";
import { messageOf, type Settings } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import { errors, usage } from "../errors.ts";
import { chooseEnvironment } from "../support/environment.ts";
import { applicationRoot, importDefault, withApp, withDatabase } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import { yellow } from "../support/terminal.ts";
import type { CommandContext } from "./command.ts";
import writeTypes from "./types.ts";

/** Resolves with the number of migrations that it ran or rolled back, if it does. */
type Action = (
  database: Database,
  options: CommandContext["options"],
  settings: Settings,
) => Promise<number | undefined>;

const actions: Readonly<Record<string, Action>> = {
  async "db:migrate"({ migrations }) {
    return printEach("migrated", await migrations.up(), "nothing to migrate");
  },
  async "db:rollback"({ migrations }, { steps }) {
    return printEach("rolled back", await migrations.down(stepsOf(steps)), "nothing to roll back");
  },
  async "db:status"({ migrations }, { json }) {
    const status = await migrations.status();
    if (json) console.log(JSON.stringify(status, null, 2));
    else
      console.log(
        table(
          ["state", "migration"],
          status.map(({ name, applied }) => [applied ? "up" : "pending", name]),
        ),
      );
  },
  async "db:reset"({ migrations }, _options, { env }) {
    if (env === "production") throw errors.FW_RESET_PRODUCTION();
    const undone = printEach("rolled back", await migrations.down(Number.MAX_SAFE_INTEGER), "nothing to roll back");
    return undone + printEach("migrated", await migrations.up(), "nothing to migrate");
  },
};

async function seed(app: Application): Promise<void> {
  const run = await importDefault<unknown>(join(app.settings.root, "db/seeds.ts"));
  if (typeof run !== "function") throw errors.FW_SEEDS_SHAPE("db/seeds.ts");
  app.means = "seed";
  await (run as (app: Application) => unknown)(app);
  console.log("seeded");
}

const changesTables = new Set(["db:migrate", "db:rollback", "db:reset"]);
/** A file in storage/ that is written when tables changed, so that `fw dev` restarts. */
export const MIGRATED_FILE = ".migrated";

export default async function database({ argv: [name], options }: CommandContext): Promise<void> {
  const root = applicationRoot();
  chooseEnvironment(options.env);
  if (name === "db:seed") return withApp({ anyColumns: true }, seed);
  let count: number | undefined;
  let isServed = false;
  await withDatabase(async (service, settings) => {
    count = await actions[name!]!(service, options, settings);
    isServed = settings.env === "production";
  });
  if (changesTables.has(name!)) {
    await writeTypes().catch((error: unknown) => (isServed && isReadOnly(error) ? undefined : warn(error)));
    if (count && !isServed && existsSync(join(root, "storage")))
      writeFileSync(join(root, "storage", MIGRATED_FILE), new Date().toISOString());
  }
  if (name === "db:reset" && hasSeeds(root)) await withApp({ anyColumns: true }, seed);
}

/** The code of a served application may belong to another user, or to a disk that nobody writes to. */
const isReadOnly = (error: unknown): boolean =>
  ["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "");

/** The tables are changed: what stops the application from booting now is for the developer to fix. */
const warn = (error: unknown): void =>
  console.error(
    yellow(
      `db/types.d.ts was not written, since the application does not boot: ${messageOf(error)}\nThen run: fw types`,
    ),
  );

const hasSeeds = (root: string): boolean => existsSync(join(root, "db/seeds.ts"));

function stepsOf(steps: unknown): number {
  if (steps === undefined) return 1;
  if (!/^[1-9]\d*$/.test(String(steps))) throw usage.FW_FLAG_VALUE("--steps", "a whole number, 1 or more");
  return Number(steps);
}

function printEach(done: string, names: readonly string[], none: string): number {
  for (const name of names) console.log(`${done} ${name}`);
  if (names.length === 0) console.log(none);
  return names.length;
}
