import { writeOptions } from "../support/write_options.ts";
import type { Command } from "./command.ts";

const environment = { summary: "development, test or production", value: "NAME" };
const json = { summary: "Print JSON" };
const port = { summary: "The port; by default PORT, else 3000", value: "NUMBER" };
const database = () => import("./database.ts");

/** The framework's own commands; plugins bring others. The code of a command is loaded when it runs. */
export const commands: readonly Command[] = [
  {
    name: "new",
    args: "[dir]",
    summary: "Create a new application, or with --in one in a folder of a Node project that exists",
    example: "fw new shop --database=sqlite",
    options: {
      database: { summary: "sqlite (the default), mysql or postgres", value: "KIND" },
      in: { summary: "The project, which gets the folder (back by default), scripts and packages", value: "PROJECT" },
      ...writeOptions,
    },
    load: () => import("./new.ts"),
  },
  {
    name: "generate",
    alias: "g",
    args: "[generator] [...args]",
    summary: "Run a generator; without a name, list them, as JSON with --json",
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
    summary: "Serve the application that fw build compiled, in production",
    example: "fw start --workers=auto",
    options: {
      port,
      workers: {
        summary: "How many processes serve, auto for one a core; SIGHUP replaces them one by one",
        value: "COUNT",
      },
      "allow-pending": { summary: "Report ready on /readyz although migrations are pending" },
    },
    load: () => import("./start.ts"),
  },
  {
    name: "serve",
    summary: "Serve the application without restarting",
    example: "fw serve",
    options: { port },
    hidden: true,
    load: () => import("./serve.ts"),
  },
  {
    name: "secret",
    summary: "Print a random secret, for SECRET_KEY_BASE",
    example: "fw secret",
    load: () => import("./secret.ts"),
  },
  {
    name: "build",
    summary: "Compile the application into dist/",
    example: "fw build",
    load: () => import("./build.ts"),
  },
  {
    name: "console",
    summary: "Open a prompt with the booted application as app, its models by name, and query(Post)",
    example: "fw console --env=test",
    options: { env: environment },
    load: () => import("./console.ts"),
  },
  {
    name: "db:migrate",
    summary: "Run pending migrations, then fw types",
    example: "fw db:migrate --env=test",
    options: { env: environment },
    load: database,
  },
  {
    name: "db:check",
    summary: "Try the pending migrations on a copy of the database; exit 1 if they break the release that runs",
    example: "fw db:check --env=production",
    options: {
      env: environment,
      running: { summary: "The folder of that release instead of what its processes recorded, or none", value: "PATH" },
      allow: { summary: "Tables and columns that it does not use: posts.subtitle,drafts", value: "NAMES" },
      json,
    },
    load: () => import("./check.ts"),
  },
  {
    name: "db:rollback",
    summary: "Roll back the last migrations, then fw types",
    example: "fw db:rollback --steps=2",
    options: { env: environment, steps: { summary: "How many; 1 by default", value: "NUMBER" } },
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
    summary: "Roll back all migrations, run them again, and seed; refused in production",
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
    name: "db:pull",
    args: "[table...]",
    summary: "Short for fw generate fw:db:pull: models, policies and definitions for tables that were there before",
    example: "fw db:pull --dry-run",
    raw: true,
    load: () => import("./pull.ts"),
  },
  {
    name: "db:backup",
    args: "[file]",
    summary: "Write the whole database into a file, while it is in use; by default into storage/backups/",
    example: "fw db:backup --keep=14",
    options: {
      env: environment,
      keep: { summary: "Then delete all but so many of the newest backups of this database there", value: "NUMBER" },
    },
    load: () => import("./backup.ts"),
  },
  {
    name: "db:restore",
    args: "<file>",
    summary: "Replace the whole database by a backup, after a backup of what is there; stop the application before",
    example: "fw db:restore storage/backups/shop-20260131T120000000Z.sql --yes",
    options: {
      env: environment,
      yes: { summary: "Don't ask; required in production and without a terminal" },
      "no-backup": { summary: "Save nothing before, as of a database that can't be read any more" },
    },
    load: () => import("./restore.ts"),
  },
  {
    name: "db:encrypt",
    args: "[model]",
    summary:
      "Encrypt the columns of static encrypts by the current SECRET_KEY_BASE: existing rows, and those of a previous secret",
    example: "fw db:encrypt Blogging::Author --env=production",
    options: { env: environment, check: { summary: "Only count; exit 1 if rows are left" }, json },
    load: () => import("./encrypt.ts"),
  },
  {
    name: "test",
    args: "[...part]",
    summary: "Run the tests in test/; a part of a path selects files",
    example: "fw test posts",
    load: () => import("./test.ts"),
  },
  {
    name: "explain",
    args: "<code|path> [path]",
    summary:
      "Explain an error's code, or open a page as somebody and print where it led, what was decided and by which file",
    example: "fw explain /admin/posts/1 --as=user:ann@example.com",
    options: {
      as: { summary: "Who opens it: the account's type and login; nobody by default", value: "TYPE:LOGIN" },
      host: { summary: "The host name; that of APP_URL by default", value: "HOST" },
    },
    load: () => import("./explain.ts"),
  },
  {
    name: "routes",
    args: "[part]",
    summary: "List all routes with account, guests and policy, or those whose path, name or target contains a text",
    example: "fw routes posts",
    options: { json },
    load: () => import("./routes.ts"),
  },
  {
    name: "views",
    summary: "List all templates: compiled, or interpreted and why",
    example: "fw views --json",
    options: { json },
    load: () => import("./views.ts"),
  },
  {
    name: "eject",
    args: "[template]",
    summary:
      "Copy a template of the framework or of a plugin into the application, which then uses its own; without a name, list them",
    example: "fw eject resource/index --dest=admin_portal",
    options: {
      dest: { summary: "Only for this portal; for the whole application by default", value: "PORTAL" },
      json,
      ...writeOptions,
    },
    load: () => import("./eject.ts"),
  },
  {
    name: "diff",
    args: "[file...]",
    summary:
      "List the generated files: edited by you, or written otherwise by their generators now; of a file or folder, print the diffs",
    example: "fw diff --merge",
    options: {
      merge: { summary: "Apply what the generators would change, and keep your edits; exit 1 on conflicts" },
      "dry-run": { summary: "With --merge: print the diff and write nothing" },
      json,
    },
    load: () => import("./diff.ts"),
  },
  {
    name: "upgrade",
    summary:
      "Rewrite what this release moved, of an application of an earlier one; exit 1 if something is left for you",
    example: "fw upgrade --all",
    options: {
      all: { summary: "Then add tables that are missing, migrate, merge generated files, and run fw doctor" },
      "dry-run": { summary: "Print the diff and write nothing" },
      json,
    },
    load: () => import("./upgrade.ts"),
  },
  {
    name: "types",
    summary: "Write db/types.d.ts: types of the tables' columns and of the route names",
    example: "fw types",
    load: () => import("./types.ts"),
  },
  {
    name: "hooks",
    summary: "List the taps of all hooks, in execution order",
    example: "fw hooks --all",
    options: { all: { summary: "Every hook, tapped or not, with its owner, kind and arguments" }, json },
    load: () => import("./hooks.ts"),
  },
  {
    name: "plugins",
    summary: "List the plugins in the order in which they are applied: slots, needs, variables, time",
    example: "fw plugins --json",
    options: { json },
    load: () => import("./plugins.ts"),
  },
  {
    name: "audit:tenancy",
    summary: "Prove on a copy of the database that no scoped portal shows or changes what is another tenant's",
    example: "fw audit:tenancy --portal=CustomerPortal",
    options: {
      portal: { summary: "Only this portal", value: "NAME" },
      json,
      verbose: { summary: "Print every request instead of a line for each route" },
      keep: { summary: "Keep the copy of the database, to look at it" },
      env: environment,
    },
    load: () => import("./audit.ts"),
  },
  {
    name: "doctor",
    summary: "Check the set-up and list what to fix",
    example: "fw doctor --explain --env=production",
    options: {
      explain: { summary: "Name the lists whose statements read or sort every row, and the indexes that they lack" },
      all: { summary: "With --explain: of small tables as well" },
      json,
      env: environment,
    },
    load: () => import("./doctor.ts"),
  },
];
