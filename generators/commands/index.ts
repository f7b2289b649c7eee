import type { OptionSpecs } from "../generator.ts";
import { writeOptions } from "../support/write_options.ts";
import { accountCommands } from "./account_commands.ts";

export interface CommandContext {
  args: readonly string[];
  options: Readonly<Record<string, unknown>>;
  /** What was typed after the command, untouched. */
  argv: readonly string[];
}
export type RunCommand = (context: CommandContext) => void | Promise<void>;
export interface Command {
  name: string;
  alias?: string;
  args?: string;
  summary: string;
  example: string;
  options?: OptionSpecs;
  /** Left out of the list: run by other commands. */
  hidden?: boolean;
  /** Listed on one line: its example is in its own help. */
  brief?: boolean;
  /** Reads its own options: they depend on its first argument. */
  raw?: boolean;
  load(): Promise<{ default: RunCommand }>;
}

const environment = { summary: "development, test or production", value: "NAME" };
const json = { summary: "Print JSON" };
const port = { summary: "The port; PORT or 3000 unless told", value: "NUMBER" };
const database = () => import("./database.ts");
const jobs = () => import("./jobs.ts");

/** Every command of `fw`. What a command does is loaded when it runs. */
export const commands: readonly Command[] = [
  {
    name: "new",
    args: "<dir>",
    summary: "Make a new application",
    example: "fw new shop --database=sqlite",
    options: { database: { summary: "sqlite (the default) or mysql", value: "KIND" }, ...writeOptions },
    load: () => import("./new.ts"),
  },
  {
    name: "generate",
    alias: "g",
    args: "[generator] [...args]",
    summary: "Run a generator; without a name, list them",
    example: "fw generate fw:pkg:portal admin --auth=user",
    raw: true,
    load: () => import("./generate.ts"),
  },
  {
    name: "dev",
    summary: "Serve the application and restart when a file changes",
    example: "fw dev --port=4000",
    options: { port },
    load: () => import("./dev.ts"),
  },
  {
    name: "start",
    summary: "Serve what fw build made, in production",
    example: "NODE_ENV=production fw start",
    options: { port, "allow-pending": { summary: "Be ready although migrations have not run" } },
    load: () => import("./start.ts"),
  },
  {
    name: "serve",
    summary: "Serve once",
    example: "fw serve",
    options: { port },
    hidden: true,
    load: () => import("./serve.ts"),
  },
  {
    name: "build",
    summary: "Compile the application into dist/",
    example: "fw build",
    load: () => import("./build.ts"),
  },
  {
    name: "console",
    summary: "A prompt with the booted application in app, its models by name, and query(Post)",
    example: "fw console --env=test",
    options: { env: environment },
    load: () => import("./console.ts"),
  },
  {
    name: "db:migrate",
    summary: "Run the migrations that have not run, then fw types",
    example: "fw db:migrate --env=test",
    options: { env: environment },
    load: database,
  },
  {
    name: "db:rollback",
    summary: "Take back the last migrations, then fw types",
    example: "fw db:rollback --steps=2",
    options: { env: environment, steps: { summary: "How many; 1 unless told", value: "NUMBER" } },
    load: database,
  },
  {
    name: "db:status",
    summary: "List the migrations and whether each has run",
    example: "fw db:status --json",
    options: { env: environment, json },
    load: database,
  },
  {
    name: "db:reset",
    summary: "Take back every migration, run them all again, and seed; refused in production",
    example: "fw db:reset --env=test",
    options: { env: environment },
    load: database,
  },
  {
    name: "db:seed",
    summary: "Run db/seeds.ts",
    example: "fw db:seed",
    options: { env: environment },
    load: database,
  },
  {
    name: "jobs",
    summary: "List the jobs, the newest first, and how each stands",
    example: "fw jobs --state=failed",
    options: {
      env: environment,
      state: { summary: "waiting, running, done or failed", value: "STATE" },
      kind: { summary: "One kind of job, as in mail", value: "KIND" },
      json,
    },
    load: jobs,
  },
  {
    name: "jobs:retry",
    args: "<id>",
    summary: "Make a failed job due again; all: every failed one",
    example: "fw jobs:retry all",
    options: { env: environment },
    load: jobs,
  },
  {
    name: "jobs:discard",
    args: "<id>",
    summary: "Remove a job that nobody is doing",
    example: "fw jobs:discard 17",
    options: { env: environment },
    load: jobs,
  },
  {
    name: "jobs:work",
    summary: "Do every job that is due, then end",
    example: "fw jobs:work --watch",
    options: { env: environment, watch: { summary: "Go on until the process is told to stop" } },
    load: jobs,
  },
  {
    name: "wizards:sweep",
    summary: "Remove runs that nobody needs any more, and open those again that were left behind",
    example: "fw wizards:sweep --json",
    options: { env: environment, json },
    load: () => import("./wizards.ts"),
  },
  {
    name: "test",
    args: "[...part]",
    summary: "Run the tests of test/; a part of a path narrows them",
    example: "fw test posts",
    load: () => import("./test.ts"),
  },
  {
    name: "authlib:admin:create",
    args: "<email>",
    summary: "Make a verified admin account, and print a link to set its password",
    example: "fw authlib:admin:create ada@example.com --role=super_admin",
    options: {
      role: { summary: "Its role; the first account gets the most privileged, others the second", value: "NAME" },
      account: { summary: "The account type; admin unless told", value: "NAME" },
      "password-stdin": { summary: "Read the password from stdin instead of printing a link" },
      env: environment,
    },
    load: () => import("./authlib.ts"),
  },
  ...accountCommands,
  {
    name: "authlib:reseal",
    summary:
      "Move what accounts stored under a previous SECRET_KEY_BASE to the current one, so that the previous can go",
    example: "fw authlib:reseal --env=production",
    options: { env: environment, json },
    load: () => import("./reseal.ts"),
  },
  {
    name: "routes",
    summary: "List every route with what guards it",
    example: "fw routes --json",
    options: { json },
    load: () => import("./routes.ts"),
  },
  {
    name: "views",
    summary: "List every template: compiled, or interpreted and why",
    example: "fw views --json",
    options: { json },
    load: () => import("./views.ts"),
  },
  {
    name: "types",
    summary: "Write db/types.d.ts: the columns of the tables and the names of the routes",
    example: "fw types",
    load: () => import("./types.ts"),
  },
  {
    name: "hooks",
    summary: "List every tap of every hook, in the order in which they run",
    example: "fw hooks --json",
    options: { json },
    load: () => import("./hooks.ts"),
  },
  {
    name: "doctor",
    summary: "Look the set-up over and say what to fix",
    example: "fw doctor",
    options: { json },
    load: () => import("./doctor.ts"),
  },
];
