import { writeOptions } from "../support/write_options.ts";
import { accountCommands } from "./account_commands.ts";
import type { Command } from "./command.ts";

const environment = { summary: "development, test or production", value: "NAME" };
const json = { summary: "Print JSON" };
const port = { summary: "The port; by default PORT, else 3000", value: "NUMBER" };
const database = () => import("./database.ts");
const jobs = () => import("./jobs.ts");

/** All commands of `fw`. The code of a command is loaded when it runs. */
export const commands: readonly Command[] = [
  {
    name: "new",
    args: "<dir>",
    summary: "Create a new application",
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
    summary: "Serve the application that fw build compiled, in production",
    example: "NODE_ENV=production fw start",
    options: { port, "allow-pending": { summary: "Report ready on /readyz although migrations are pending" } },
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
    name: "jobs",
    summary: "List jobs and their states, the newest first",
    example: "fw jobs --state=failed",
    options: {
      env: environment,
      state: { summary: "waiting, running, done or failed", value: "STATE" },
      kind: { summary: "Jobs of one kind only, as in mail", value: "KIND" },
      json,
    },
    load: jobs,
  },
  {
    name: "jobs:retry",
    args: "<id>",
    summary: "Retry a failed job; all: every failed job",
    example: "fw jobs:retry all",
    options: { env: environment },
    load: jobs,
  },
  {
    name: "jobs:discard",
    args: "<id>",
    summary: "Remove a job that is not running",
    example: "fw jobs:discard 17",
    options: { env: environment },
    load: jobs,
  },
  {
    name: "jobs:work",
    summary: "Run all due jobs, then exit",
    example: "fw jobs:work --watch",
    options: { env: environment, watch: { summary: "Keep running until the process is stopped" } },
    load: jobs,
  },
  {
    name: "wizards:sweep",
    summary: "Delete expired and old runs, and reopen abandoned ones",
    example: "fw wizards:sweep --json",
    options: { env: environment, json },
    load: () => import("./wizards.ts"),
  },
  {
    name: "test",
    args: "[...part]",
    summary: "Run the tests in test/; a part of a path selects files",
    example: "fw test posts",
    load: () => import("./test.ts"),
  },
  {
    name: "authlib:admin:create",
    args: "<email>",
    summary: "Create a verified admin account, and print a link to set its password",
    example: "fw authlib:admin:create ada@example.com --role=super_admin",
    options: {
      role: { summary: "Its role; the first account gets the most privileged, others the second", value: "NAME" },
      account: { summary: "The account type; admin by default", value: "NAME" },
      "password-stdin": { summary: "Read the password from stdin instead of printing a link" },
      env: environment,
    },
    load: () => import("./authlib.ts"),
  },
  ...accountCommands,
  {
    name: "authlib:reseal",
    summary: "Re-encrypt what accounts stored with a previous SECRET_KEY_BASE, so that the previous one can be removed",
    example: "fw authlib:reseal --env=production",
    options: { env: environment, json },
    load: () => import("./reseal.ts"),
  },
  {
    name: "routes",
    summary: "List all routes with account, guests and policy",
    example: "fw routes --json",
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
    name: "types",
    summary: "Write db/types.d.ts: types of the tables' columns and of the route names",
    example: "fw types",
    load: () => import("./types.ts"),
  },
  {
    name: "hooks",
    summary: "List the taps of all hooks, in execution order",
    example: "fw hooks --json",
    options: { json },
    load: () => import("./hooks.ts"),
  },
  {
    name: "policies",
    summary: "Print what each account may do with each resource and field",
    example: "fw policies --check",
    options: {
      write: { summary: "Write it to config/policies.md, to be reviewed as a diff" },
      check: { summary: "Exit 1 if config/policies.md differs" },
    },
    load: () => import("./policies.ts"),
  },
  {
    name: "doctor",
    summary: "Check the set-up and list what to fix",
    example: "fw doctor --env=production",
    options: { json, env: environment },
    load: () => import("./doctor.ts"),
  },
];
