/** What a release changed, where text files of an application show whether it is affected. */
export interface UpgradeEntry {
  /** What `fw doctor` and `fw upgrade --json` group it by. */
  capability: string;
  /** As CHANGELOG.md has it: the first cell of a row, or a part of a sentence. */
  change: string;
  /** The last version whose applications are affected. Those generated from a clone before 0.1.0 have its number. */
  upTo: string;
  /** All of them hold in an affected application. */
  where: readonly FileTest[];
  /** The command that does it. */
  run?: readonly string[];
  /** Without a command: what a person does, as a sentence without its full stop. The tests do not hold after that. */
  byHand?: string;
}

/** What some file whose path matches `in` has, or none of them. Comments of code do not count. */
export type FileTest = { in: RegExp } & ({ has: RegExp } | { lacks: RegExp });

const upTo = "0.1.0";
const [code, migrations, accounts] = [/\.[cm]?tsx?$/, /(?:^|\/)db\/migrate\/.*\.ts$/, /^app\/authlib\/.*\.ts$/];
const config = /^plugins\.config\.ts$/;
const creates = (table: string) => new RegExp(`\\bcreateTable\\(\\s*["'\`]${table}["'\`]`);

/** A table that a generator adds, where an earlier release created another one of the same plugin. */
const addedTable = (change: string, generator: string, table: string, before: string): UpgradeEntry => ({
  ...{ capability: "tables", change, upTo, run: ["generate", generator] },
  where: [
    { in: migrations, has: creates(before) },
    { in: migrations, lacks: creates(table) },
  ],
});

/** A table that a generator adds, where files use what needs it. */
const usedTable = (change: string, generator: string, table: string, ...usage: readonly FileTest[]): UpgradeEntry => ({
  ...{ capability: "tables", change, upTo, run: ["generate", generator] },
  where: [...usage, { in: migrations, lacks: creates(table) }],
});

const byHand = (capability: string, change: string, where: readonly FileTest[], text: string): UpgradeEntry => ({
  ...{ capability, change, upTo, where, byHand: text },
});

/** Steps of accounts that applications override in app/authlib, with their names now. */
const renamedSteps: Readonly<Record<string, string>> = {
  confirmIfAsked: "confirmIdentity(view, locals, { always })",
  tell: "emitEvent",
  mayTry: "isLoginAllowed",
  report: "reportFailure",
  deadLink: "expiredLink",
  lookIntoYourMail: "checkYourMail",
  askForMore: "requirePendingStep",
  letPast: "bypassLockout",
  isLetPast: "isLockoutBypassed",
  mailExists: "mailAccountExists",
  passwordMade: "passwordMatchesHash",
};

/** Texts of catalogues that have other keys. */
const renamedTexts: Readonly<Record<string, string>> = {
  keep_file: "form.file_kept",
  key_twice: "form.rows.twice",
  run_counts: "notifications.run_refused and notifications.run_failed_count",
};

export const entries: readonly UpgradeEntry[] = [
  usedTable(
    "Attempts that count for all processes",
    "fw:limits:install",
    "framewright_limits",
    { in: config, has: /^\s*limits\(/m },
    { in: /^app\/authlib\/\w+_authlib_plugin\.ts$/, has: /^/ },
  ),
  addedTable(
    "Jobs on a schedule (`framewright_job_schedules`, `FW_SCHEDULES_TABLE`)",
    "fw:jobs:install",
    "framewright_job_schedules",
    "framewright_jobs",
  ),
  usedTable("Work in the background", "fw:background:install", "framewright_background_runs", {
    in: code,
    has: /\bstatic\b[^\n=]*\binBackground = true\b/,
  }),
  addedTable(
    "Default views (`framewright_default_views`)",
    "fw:saved_views:install",
    "framewright_default_views",
    "framewright_saved_views",
  ),
  addedTable(
    "Imports that can be taken back (`framewright_import_writes`)",
    "fw:imports:install",
    "framewright_import_writes",
    "framewright_imports",
  ),
  usedTable("Deletions that can be undone", "fw:deletions:install", "framewright_deletions", {
    in: config,
    has: /^\s*undo\(/m,
  }),
  usedTable("Former slugs", "fw:slugs:install", "framewright_slugs", {
    in: code,
    has: /\bstatic\b[^\n=]*\bslug\b[^=]*=\s*\{[^}]*\bhistory: true\b/,
  }),
  byHand(
    "history",
    "Lines of the example `fw-audit`",
    [{ in: code, has: /\bfrom\s*["'][^"']*\bfw-audit\b/ }],
    "history() has taken its place. Its lines move by the migration of docs/how-to/keep-an-audit-trail.md",
  ),
  byHand(
    "packages",
    "`package.json` lists `typescript` among the packages of development",
    [
      { in: /^package\.json$/, has: /"framewright"\s*:/ },
      { in: /^package\.json$/, lacks: /"typescript"\s*:/ },
    ],
    "fw build and npm run check need the compiler: npm install --save-dev typescript",
  ),
  ...Object.entries(renamedSteps).map(([before, now]) =>
    byHand(
      "accounts",
      `\`${before}\``,
      [
        {
          in: accounts,
          has: new RegExp(
            `^\\s*(?:override |async |protected |public )*${before}\\(|\\b(?:this|super)\\.${before}\\(`,
            "m",
          ),
        },
      ],
      `${before} of accounts is ${now}: an override by the former name is not called`,
    ),
  ),
  byHand(
    "models",
    "rename `app/controllers/viri_controller.ts` to `viruses_controller.ts`",
    [{ in: /(?:^|\/)viri_controller\.ts$/, has: /^/ }],
    "Virus has the plural viruses. Rename the file to viruses_controller.ts, and redirect former addresses",
  ),
  ...Object.entries(renamedTexts).map(([before, now]) =>
    byHand(
      "texts",
      before,
      [{ in: /^config\/locales\/[^/]+\.json$/, has: new RegExp(`"${before}"\\s*:`) }],
      `the text ${before} is ${now}: a text under the former key is not shown`,
    ),
  ),
  byHand(
    "layout",
    "`_flash` renders `message.action` and has `data-unreachable`, `data-saving`, `data-close`",
    [
      { in: /\/framewright\/_flash\.liquid$/, has: /^/ },
      { in: /\/framewright\/_flash\.liquid$/, lacks: /data-unreachable/ },
    ],
    "this copy lacks what pages need of it. Copy it again (fw eject framewright/_flash --force), and put your lines back",
  ),
  byHand(
    "layout",
    "`_navigation` renders `item.items`",
    [
      { in: /\/framewright\/_navigation\.liquid$/, has: /^/ },
      { in: /\/framewright\/_navigation\.liquid$/, lacks: /item\.items/ },
    ],
    "this copy does not show items below others. Copy it again (fw eject framewright/_navigation --force), and put your lines back",
  ),
];
