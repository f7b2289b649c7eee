import { didYouMean, errorTable, FramewrightError } from "framewright/kernel";

const listOr = (names: readonly string[], none: string) => (names.length > 0 ? names.join(", ") : none);

/** Errors of the command line: `fw` exits 2. */
export const usage = errorTable({
  FW_COMMAND_UNKNOWN: (name: string, meant?: string) =>
    `fw has no command "${name}".${didYouMean(meant)} fw --help lists them.`,
  FW_GENERATOR_UNKNOWN: (name: string, meant?: string) =>
    `there is no generator "${name}".${didYouMean(meant)} fw generate lists them; a plugin's are there while plugins.config.ts lists the plugin.`,
  FW_INSTALL_UNKNOWN: (name: string, meant?: string) =>
    `fw:install knows no plugin "${name}".${didYouMean(meant)} fw generate fw:install --help lists them; others are added by generators of their own, or by a line in plugins.config.ts.`,
  FW_TEMPLATE_UNKNOWN: (name: string, meant?: string) =>
    `there is no template "${name}".${didYouMean(meant)} fw eject lists them.`,
  FW_TEMPLATE_OWN: (name: string, file: string, isCopy: boolean) =>
    `the template "${name}" is the application's own already: ${file}. Edit it there${isCopy ? "; fw diff shows what a copy and its original have changed; --force copies it again, with --dry-run it prints the difference" : ""}.`,
  FW_EJECTED_GONE: (name: string, source: string) =>
    `the template "${name}" is no longer where it was copied from, ${source}. Look whether anything still renders your copy: fw views.`,
  FW_GENERATED_UNKNOWN: (path: string, meant?: string) =>
    `no generated file is recorded at "${path}".${didYouMean(meant)} fw diff lists them.`,
  FW_FLAG_UNKNOWN: (command: string, flag: string, meant?: string) =>
    `"${command}" has no option "${flag}".${didYouMean(meant)} ${command} --help lists them.`,
  FW_FLAG_VALUE: (flag: string, expected: string) => `the option "${flag}" needs a value: ${expected}.`,
  FW_FLAG_CHOICE: (flag: string, value: string, choices: readonly string[], meant?: string) =>
    `"${value}" is not a value of "${flag}".${didYouMean(meant)} It takes: ${choices.join(", ")}.`,
  FW_FLAGS_CLASH: (flags: readonly string[]) => `${flags.join(" and ")} exclude each other. Give one of them.`,
  FW_WELCOME_PROFILE_MISSING: (user: string) =>
    `"--profile" asks for the profile of a ${user}, which has none. Write one first: fw generate fw:profile:setup --user_model=${user} --portal=PORTAL.`,
  FW_FLAG_NEEDS: (flag: string, needed: string, reason: string) => `"${flag}" needs "${needed}": ${reason}. Give both.`,
  FW_RESTORE_YES: (database: string, reason: string) =>
    `db:restore replaces all of the database "${database}", and ${reason}. Pass --yes.`,
  FW_STDIN_EMPTY: (flag: string, what: string) =>
    `"${flag}" reads ${what} from stdin, and stdin is empty. Pipe it in; a terminal would show it.`,
  FW_ARGUMENT_MISSING: (command: string, argument: string, example: string) =>
    `"${command}" needs ${argument}. Example: ${example}`,
  FW_ARGUMENT_UNUSED: (command: string, argument: string, example: string) =>
    `"${command}" does not take "${argument}". Example: ${example}`,
  FW_ANSWER_MISSING: (question: string, flags: readonly string[]) =>
    `"${question}" can't be asked without a terminal. Pass ${flags.join(" or ")}.`,
  FW_TABLE_LENGTH: (table: string, most: number) =>
    `the table "${table}" would have a name of ${table.length} characters; MySQL and MariaDB allow ${most}. Choose a shorter name for the resource or the account.`,
  FW_NAME_INVALID: (what: string, name: string, expected: string) => `"${name}" can't name ${what}: ${expected}.`,
  FW_APPLICATION_MISSING: (directory: string) =>
    `${directory} is not inside a Framewright application (no plugins.config.ts here or above). Change into one, or create one: fw new <dir>.`,
  FW_DIRECTORY_NOT_EMPTY: (directory: string) =>
    `${directory} is not empty. Choose a new directory, or empty this one.`,
  FW_PROJECT_FOLDER: (directory: string, project: string) =>
    `${directory} is no folder inside the project ${project}. Name one: fw new back --in=.`,
  FW_AUDIT_PORTAL: (message: string) => message,
  FW_PACKAGE_UNKNOWN: (name: string, known: readonly string[], meant?: string) =>
    `there is no package "${name}".${didYouMean(meant)} Packages are: ${listOr(known, "none")}, and main_app. fw generate fw:pkg:package creates one.`,
  FW_TABLE_UNKNOWN: (name: string, meant?: string) =>
    `the database has no table or view "${name}".${didYouMean(meant)} Fix the name, or DATABASE_URL.`,
  FW_SCHEMA_UNSUPPORTED: (driver: string) =>
    driver === "mysql"
      ? "a schema of MySQL is a database: name it in DATABASE_URL, and leave --schema out."
      : `the driver "${driver}" knows no schemas. Leave --schema out.`,
  FW_SCHEMA_UNKNOWN: (name: string) => `the database has no schema "${name}". Fix --schema, or DATABASE_URL.`,
  FW_PORTAL_UNKNOWN: (name: string, known: readonly string[], meant?: string) =>
    `there is no portal "${name}".${didYouMean(meant)} Portals are: ${listOr(known, "none yet")}. fw generate fw:pkg:portal creates one.`,
  FW_PORTAL_NONE: () => "the application has no portal yet. Create one: fw generate fw:pkg:portal admin --public.",
  FW_PORTAL_FEATURE: (name: string, portals: readonly string[]) =>
    `"${name}" is a feature package, and resources are connected to portals. Portals are: ${listOr(portals, "none yet")}, and main_app, the application's own routes.`,
  FW_RESOURCE_UNKNOWN: (
    name: string,
    known: readonly string[],
    meant?: string,
    fix = "fw generate fw:res:scaffold creates one.",
  ) => `there is no model "${name}".${didYouMean(meant)} Models are: ${listOr(known, "none yet")}. ${fix}`,
  FW_RESOURCE_CLASS: (constant: string, file: string, fix: string) =>
    `${constant} has no ${file}, and it would be edited. ${fix}.`,
  FW_ASSOCIATION_TARGET: (field: string, constant: string, meant?: string) =>
    `"${field}" belongs to ${constant}, and there is no such model.${didYouMean(meant)} Scaffold it first, or name the class: ${field}{${field.endsWith(":belongs_to") ? "class:" : ""}${meant ?? "User"}}.`,
  FW_EXPLAIN_WHAT: (given: string) =>
    `"${given}" can't be explained: expected an error's code, as FW_FORBIDDEN, or the path of a page, as /admin/posts. Pages are opened, nothing is written: only GET.`,
  FW_EXPLAIN_CODE: (code: string, meant: string | undefined) =>
    `the framework has no error ${code}${didYouMean(meant)}. A plugin's own errors are in its README.`,
  FW_EXPLAIN_AS: (given: string) =>
    `--as=${given} is no account: expected its type and its login, as user:ann@example.com.`,
  FW_EXPLAIN_INSPECTOR: () =>
    "what was decided is recorded by the inspector, which needs the plugins views, assets, i18n and layout.",
  FW_ACCOUNT_UNKNOWN: (name: string, meant?: string) =>
    `the application has no account "${name}" (no app/authlib/${name}_authlib_plugin.ts).${didYouMean(meant)} Create it first: fw generate ${name === "admin" ? "fw:authlib:admin" : `fw:authlib:account ${name}`}.`,
  FW_ACCOUNT_MODEL_PULLED: (model: string, account: string) =>
    `${model} is the model of a table that was there before, and accounts would add columns to it. Give the account type a name of its own: fw generate fw:authlib:account back_${account}; or name the model, --model=${model}.`,
  FW_ACCOUNT_MODEL_PLAIN: (model: string, accounts: readonly string[]) =>
    `${model} is no model of accounts. Accounts are: ${listOr(accounts, "none yet")}. Name another with --user_model, or create one: fw generate fw:authlib:account NAME --model=${model}.`,
  FW_ACCOUNT_MODEL_UNKNOWN: (
    model: string,
    account: string,
    accounts: readonly string[],
    flag: string,
    meant?: string,
  ) =>
    `there is no model "${model}" of accounts.${didYouMean(meant)} Account types are: ${listOr(accounts, "none yet")}. Name the model of one with ${flag}, or create one: fw generate fw:authlib:account ${account}.`,
  FW_PORTAL_ACCOUNT: (portal: string, model: string, accounts: readonly string[], concern: string) =>
    `nobody signs in to ${portal} as a ${model}: ${concern} has no Authlib("${accounts[0]}"). Choose a portal made with --auth=${accounts[0]}.`,
  FW_PORTAL_ADDRESS: (account: string, portal: string, at: string, which: string) =>
    `the pages of the account type "${account}" and ${portal} would both be at ${at}. Choose another name for the ${which}.`,
  FW_DASHBOARD_TAKEN: (name: string, at: string, taken: string) =>
    `${name} can't be at "${at}": ${taken}. Pass another --at, or remove the other route.`,
  FW_FIELD_TYPE_UNKNOWN: (field: string, type: string, known: readonly string[], meant?: string) =>
    `the field "${field}" has the unknown type "${type}".${didYouMean(meant)} Types are: ${known.join(", ")}.`,
  FW_FIELD_SHAPE: (field: string, problem: string) =>
    `"${field}" is not a field: ${problem}. Examples: title:string, 'body:text?', email:string:uniq, 'amount:decimal{10,2}', author:belongs_to.`,
  FW_COLUMN_EXISTS: (table: string, column: string, migration?: string) =>
    `the table "${table}" ${migration === undefined ? "has" : `gets by ${migration}, which has not run,`} a column "${column}" already. Leave it out, or choose another name.`,
  FW_FIELD_DUPLICATE: (name: string) => `two fields create the column "${name}". Remove one of them.`,
});

/** Errors while running: `fw` exits 1. */
export const errors = errorTable({
  FW_AUDIT_STOPPED: () => "the audit was stopped, and its copy of the database removed. Run it again.",
  FW_CHECK_STOPPED: () => "the check was stopped, and its copy of the database removed. Run it again.",
  FW_RELEASE_UNKNOWN: () =>
    "nothing says what the running release reads: no process of it has recorded that. Name its folder, or its db/types.d.ts: fw db:check --running=/srv/shop/current; or --running=none where none runs.",
  FW_RELEASE_TYPES: (file: string) =>
    `${file} has no tables of models. Name the folder of the running release, or its db/types.d.ts as fw types writes it.`,
  FW_POLICIES_MISSING: (file: string) =>
    `${file} does not exist. Write it, review it and commit it: fw policies --write.`,
  FW_POLICIES_CHANGED: (file: string) =>
    `${file} differs from what the policies allow now. Review the difference above, then write it: fw policies --write.`,
  FW_PLACE_MISSING: (file: string, line: string) => `${file} has no place to insert a line. Add it by hand: ${line}`,
  FW_FILE_MISSING: (file: string) => `${file} is missing and required here. Restore it, or generate it again.`,
  FW_FILE_CHANGED: (file: string) => `${file} changed while the generator ran. Nothing was written; run it again.`,
  FW_FILES_LOCKED: (pid: number) =>
    `another fw (process ${pid}) is writing here. Wait for it; if that process no longer exists, check what changed, then remove .fw/journal.json.`,
  FW_WRITE_FAILED: (file: string, reason: string) =>
    `could not write ${file}: ${reason}. All changes were rolled back.`,
  FW_RECORD_BROKEN: (file: string, reason: string) =>
    `${file} can't be read: ${reason}. Resolve its conflict or restore it from version control; or remove it, and run the generator again with --skip.`,
  FW_MERGE_CONFLICTS: (files: readonly string[]) =>
    `conflicts are marked in: ${files.join(", ")}. Edit them, and remove the lines of markers.`,
  FW_GENERATOR_SHAPE: (name: string, plugin: string) =>
    `"${plugin}" brings a generator as "${name}", which has another name or is none. Export default defineGenerator({ name: "${name}", … }).`,
  FW_TABLE_UNMIGRATED: (constant: string, table: string) =>
    `${constant} has no table "${table}" yet, and its columns are needed here. Run: fw db:migrate.`,
  FW_PLUGIN_LIST: (file: string) => `${file} has no default export. Example: export default definePlugins([…]).`,
  FW_BUILD_MISSING: (directory: string) => `${directory} contains no build. Run: fw build.`,
  FW_WORKER_BOOT: (index: number, how: string) =>
    `worker ${index} ended before it served: ${how}. What it printed above says why; fw start --workers=1 shows it alone.`,
  FW_COMPILER_MISSING: () =>
    'fw build needs the package "typescript", and it is not installed. Run: npm install --save-dev typescript',
  FW_COMPILE_FAILED: () => "the application does not compile; see the compiler's messages above.",
  FW_SEEDS_SHAPE: (file: string) => `${file} exports no function. Example: export default async (app) => { … }.`,
  FW_PROJECT_MANIFEST: (file: string, why: string) => `${file} can't be read: ${why}. Fix it; nothing was written.`,
  FW_BACKUP_EXISTS: (file: string) => `${file} exists already, and no backup is overwritten. Name another file.`,
  FW_RESTORE_SERVED: (places: readonly string[]) =>
    `the database is in use by ${places.join(", ")}. Stop the application, which takes up to three minutes to be forgotten where it was killed, then restore. Nothing was changed.`,
  FW_RESTORE_CANCELLED: () => "nothing was restored.",
  FW_RESET_PRODUCTION: () => "db:reset empties the database and is refused in production. Set NODE_ENV=development.",
});

const usageCodes: ReadonlySet<string> = new Set(Object.keys(usage));

export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof FramewrightError && usageCodes.has(error.code) ? 2 : 1;
}
