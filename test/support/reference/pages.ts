import { commands } from "../../../generators/commands/index.ts";
import { Generators } from "../../../generators/registry.ts";
import { reservedNames } from "../../../generators/support/reserved.ts";
import { camelize } from "../../../host/support/inflection.ts";
import { inputTypes } from "../../../plugins/database/generators/fields/field.ts";
import { displays, inputs } from "../../../plugins/fields/components/index.ts";
import { openapi } from "../../../plugins/openapi/index.ts";
import { personalData } from "../../../plugins/personal_data/index.ts";
import standard from "../../../plugins.config.ts";
import { bodyOf, docText, membersOf, read, sources, table } from "./source.ts";

const note = "Written by `npm run reference` from the code; `npm run check` compares the two.\n";

/** `| Name | Type | |` of an interface's members. */
function options(path: string, name: string): string {
  const body = bodyOf(read(path), new RegExp(`interface ${name}\\b[^{]*`));
  if (body === undefined) throw new Error(`${path} has no interface ${name}`);
  const rows = membersOf(body).map(({ name: member, code, doc }) => [
    `\`${member}\``,
    `\`${code.replace(/^[^:(]+[?]?:? ?/, (head) => (head.includes(":") ? "" : head.slice(member.length)))}\``,
    doc,
  ]);
  return table(["Option", "Type", ""], rows);
}
/** The methods and properties of a class, with their comments. */
function members(path: string, declaration: RegExp, matches: (code: string) => boolean = () => true): string {
  const found = membersOf(bodyOf(read(path), declaration)!).filter(({ code }) => matches(code));
  return table(
    ["Member", ""],
    found.map(({ code, doc }) => [`\`${code.replace(/^override /, "")}\``, doc]),
  );
}

export function commandsPage(): string {
  const ofPlugins = [...standard, openapi(), personalData()].flatMap((plugin) => plugin.commands ?? []); // an application adds the last two
  const parts = [...commands, ...ofPlugins]
    .filter(({ hidden }) => !hidden)
    .map(({ name, args, summary, example, options: given = {} }) => {
      const rows = Object.entries(given).map(([option, { summary: text, value }]) => [
        `\`--${option}${value ? `=${value}` : ""}\``,
        text,
      ]);
      const list = rows.length > 0 ? `\n\n${table(["Option", ""], rows)}` : "";
      return `## \`fw ${[name, args].filter(Boolean).join(" ")}\`\n\n${summary}.\n\n    ${example}${list}`;
    });
  return `# Commands\n\n${note}\n\`fw <command> --help\` prints the same. Exit 1: it failed on the way; exit 2: the command line can't be run.\n\n${parts.join("\n\n")}\n`;
}

export async function generatorsPage(): Promise<string> {
  const parts = (await new Generators().all()).map(({ name, args, summary, example, options: given = {} }) => {
    const rows = Object.entries(given).map(([option, { summary: text, value }]) => [
      `\`--${option}${value ? `=${value}` : ""}\``,
      text,
    ]);
    const list = rows.length > 0 ? `\n\n${table(["Option", ""], rows)}` : "";
    return `## \`${[name, args].filter(Boolean).join(" ")}\`\n\n${summary}.\n\n    ${example}${list}`;
  });
  return `# Generators\n\n${note}\n\`fw generate <name>\`, or \`fw g\`. All take \`--dry-run\`, \`--force\`, \`--skip\` and \`--help\`. The fields of a scaffold: [field grammar](fields.md).\n\n${parts.join("\n\n")}\n\n${namesPart()}`;
}

/** What can't name a class, in the case of classes. */
function namesPart(): string {
  const classes = (names: string) =>
    names
      .split(" ")
      .map((name) => `\`${camelize(name)}\``)
      .join(", ");
  const { keywords, devices, imported } = reservedNames;
  return `## Names

Any other name is accepted, and \`APIKey\`, \`ApiKey\` and \`api_key\` are one. A name is refused (\`FW_NAME_INVALID\`) where another file below \`app/\` defines the class, such as \`ResourcePolicy\`, and:

- as a keyword of JavaScript, also for packages and account types: ${classes(keywords)};
- as a file that some systems can't have: ${classes(devices)};
- for models and account types, since generated code has another use for it: ${classes(imported)}.

Where a generated file uses a model's name for something else, it imports the model as \`InviteModel\`, and a base class of that name as \`InvitationBase\`.
`;
}

/** The longest text literal of an expression, with `…` for what is filled in. */
function literalIn(code: string): string {
  const found: string[] = [];
  for (let at = 0; at < code.length; at++) {
    const quote = code[at]!;
    if (quote !== "`" && quote !== '"') continue;
    let text = "";
    for (at++; at < code.length && code[at] !== quote; at++) {
      if (code[at] === "\\") text += code[++at];
      else if (quote === "`" && code.startsWith("${", at)) {
        at = endOfBraces(code, at + 1);
        text += "…";
      } else text += code[at];
    }
    found.push(text);
  }
  return found.sort((a, b) => b.length - a.length)[0] ?? "";
}
function endOfBraces(code: string, start: number): number {
  for (let at = start, depth = 0; at < code.length; at++) {
    if (code[at] === "{") depth++;
    if (code[at] === "}" && --depth === 0) return at;
  }
  return code.length;
}

const httpError = /new HttpError\(\s*(\d{3}),\s*"(FW_[A-Z_]+)"/g;

export function errorsPage(): string {
  const rows: string[][] = [];
  for (const [path, text] of sources()) {
    if (!path.endsWith("errors.ts")) continue;
    const entry = /^ {2}(FW_[A-Z_]+): \([^=]*?\) =>\s*([\s\S]*?)(?=,\n {2}(?:FW_|\/\*\*)|,?\n\}\))/gm;
    for (const [, code, message] of text.matchAll(entry)) {
      const shown = literalIn(message!).replaceAll("<", "&lt;");
      rows.push([`\`${code}\``, `\`${path.replace(/\/errors\.ts$/, "")}\``, shown]);
    }
  }
  const statuses = new Map<string, string>();
  for (const text of sources().values())
    for (const [, status, code] of text.matchAll(httpError)) statuses.set(code!, status!);
  const replies = [...statuses].sort().map(([code, status]) => [`\`${code}\``, status]);
  rows.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return `# Errors\n\n${note}\nThe codes are stable; messages name the culprit and what to do.\n\n## Codes with their messages\n\n${table(["Code", "Of", "Message"], rows)}\n\n## Codes of replies\n\nIn problem documents (\`application/problem+json\`) as \`code\`.\n\n${table(["Code", "Status"], replies)}\n`;
}

/** How the comment of a hook begins whose arguments may change in a minor version. */
const EXPERIMENTAL = /^@experimental /;

export function hooksPage(): string {
  const all = [...sources().values()].join("\n");
  const slots = new Map<string, string>([["kernel", "KernelHooks"]]);
  for (const [, slot, hooks] of all.matchAll(/^ {4}(\w+): \{ (?:service: [\w<>]+; )?hooks: (\w+) \}/gm))
    slots.set(slot!, hooks!);
  const parts = [...slots].sort().map(([slot, name]) => {
    const extended = new RegExp(`interface ${name} extends (\\w+)`).exec(all)?.[1];
    const bodies = [name, extended].flatMap((one) =>
      one ? [bodyOf(all, new RegExp(`interface ${one}\\b[^{]*`)) ?? ""] : [],
    );
    const rows = bodies
      .flatMap(membersOf)
      .map(({ name: hook, code, doc }) => [
        `\`${slot}.${hook}\``,
        `\`${code.replace(/^\w+: /, "")}\``,
        doc.replace(EXPERIMENTAL, ""),
        EXPERIMENTAL.test(doc) ? "may change" : "stable",
      ]);
    return `## ${slot}\n\n${table(["Hook", "Kind and arguments", "", "Stability"], rows)}`;
  });
  return `# Hooks\n\n${note}\nA plugin taps them in \`apply\`: \`hooks.<slot>.<hook>.tap("my-plugin", …)\`, or \`tapPromise\` where the kind is \`Async…\`. \`fw hooks\` lists who does. Where the kind has \`InPortal\`, a tap may be for one portal: \`tap({ name: "my-plugin", portal: "AdminPortal" }, …)\`. What "stable" means: [write a plugin](../how-to/write-a-plugin.md#what-is-stable).\n\n${parts.join("\n\n")}\n`;
}

const definition = "plugins/resources/definition/definition.ts";
const definitionOptions = "plugins/resources/definition/definition_options.ts";
const names = (of: object) =>
  Object.keys(of)
    .map((name) => `\`${name}\``)
    .join(", ");

export function definitionsPage(): string {
  const methods = members(definition, /class ResourceDefinition\b[^{]*/, (code) => /^\w+\(/.test(code));
  return `# Definitions\n\n${note}
A definition says how fields are entered and shown; which of them exist is the [policy's](policies.md) decision. Everything stands in \`configure()\`, which begins with \`super.configure()\`. Example: [resource](../concepts/resource.md).

## Methods\n\n${methods}

## Options of fields (\`input\`, \`display\`, \`column\`, \`field\`)\n\n${options("plugins/fields/options.ts", "FieldOptions")}

## What is asked for (\`input\`, inputs of interactions, fields of wizards' steps)

${options("plugins/fields/options.ts", "InputOptions")}

Types of inputs (\`as\`): ${names(inputs)}.

Types of displays (\`as\`): ${names(displays)}. Plugins [add others](../how-to/add-a-field-type.md).

## What a type of fields says (\`defineFieldType\`)

${options("plugins/fields/types/field_type.ts", "FieldTypeOptions")}

${options("plugins/fields/types/field_type.ts", "Described")}

## Options of filters\n\n${options(definitionOptions, "FilterOptions")}

## Options of tabs (\`scope\`)\n\n${options(definitionOptions, "ScopeOptions")}

## Options of sorts\n\n${options(definitionOptions, "SortOptions")}

## Options of actions\n\n${options("plugins/resources/definition/actions.ts", "ActionOptions")}
`;
}

export function policiesPage(): string {
  const path = "plugins/resources/definition/policy.ts";
  const methods = members(
    path,
    /export class Policy\b[^{]*/,
    (code) => code.includes("(") || code.startsWith("readonly") || code.startsWith("declare"),
  );
  return `# Policies\n\n${note}
A policy denies reading and creating until it allows them; the other predicates follow. An action's predicate is \`can\` and its name: \`canPublish()\`. Example: [policy](../concepts/policy.md).\n\n${methods}\n`;
}

export function modelsPage(): string {
  const statics = members(
    "plugins/database/models/model.ts",
    /export class BaseModel\b[^{]*/,
    (code) => /^static (?!override|cloneObject)/.test(code) || code.startsWith("toLabel"),
  );
  const rules = "plugins/database/validation/declared_rules.ts";
  const associations = read("plugins/database/models/associations.ts");
  const interfaces = [...associations.matchAll(/export interface (\w+Options)/g)].map(([, name]) => name!);
  return `# Models\n\n${note}
\`export default class Post extends Model("blogging_posts") { static override validations = { … }; }\`

## What a model declares\n\n${statics}

## Values of columns

What is stored is what was given, or it is refused with the field's name.

| Column | In code and JSON | Refused |
| --- | --- | --- |
| \`integer\` | a number | beyond 32 bits |
| \`bigint\` | a text, \`"9223372036854775807"\`; keys and the cents of money are numbers | beyond 64 bits; a number of JSON beyond 2^53 |
| \`decimal(precision, scale)\` | a text, \`"12.50"\` | more digits before or after the point than declared; a number of JSON with more than 15 digits; on SQLite a value with a fraction and more than 15 significant digits, and a whole one beyond 2^63 |
| \`json\` | the parsed value; unchanged it keeps the text that it was read from | a whole number beyond 2^53 that is no part of such a text |
| a unique \`string\` or \`text\` | a text; case makes no difference | invisible characters, and other forms of plain ones (\`Ａ\`, \`ﬁ\`, \`①\`) |

An update writes the attributes that differ from the stored record.

## Rules of \`validations\`\n\n${options(rules, "Rules")}

\`length\`:\n\n${options(rules, "LengthRule")}

\`numericality\`:\n\n${options(rules, "NumberRule")}

## Options of \`encrypts\`\n\n${options("plugins/database/encryption/column_cipher.ts", "EncryptOptions")}

## Options of associations\n\n${interfaces.map((name) => `### \`${name}\`\n\n${options("plugins/database/models/associations.ts", name)}`).join("\n\n")}
`;
}

export function settingsPage(): string {
  const settings = bodyOf(read("host/app/settings.ts"), /interface Settings\b[^{]*/)!;
  const limits = bodyOf(read("host/app/settings.ts"), /interface Limits\b[^{]*/)!;
  const rows = (body: string) =>
    membersOf(body).map(({ name, code, doc }) => [`\`${name}\``, `\`${code.replace(/^\w+: /, "")}\``, doc]);
  return `# Settings\n\n${note}
Read once at boot, from the environment, then \`.env.<environment>\`, then \`.env\`. What is wrong stops the boot and names the setting.

## Environment variables\n\n${table(["Name", "Default", ""], environment)}

An application's own names are in \`settings.values\`.

## \`settings\` in code\n\n${table(["Name", "Type", ""], rows(settings))}

### \`settings.limits\`\n\n${table(["Name", "Type", ""], rows(limits))}
`;
}

/** What is read from outside; `referenceProblems` compares the names with the code. */
export const environment: readonly (readonly [name: string, standard: string, about: string])[] = [
  ["`NODE_ENV`, `FW_ENV`", "development", "development, test or production; `FW_ENV` wins"],
  ["`HOST`", "127.0.0.1", "The address to listen on"],
  ["`PORT`", "3000", "The port to listen on"],
  ["`SECRET_KEY_BASE`", "none", "At least 32 random bytes: sessions, tokens and whatever is encrypted depend on it"],
  [
    "`SECRET_KEY_BASE_PREVIOUS`",
    "none",
    "Secrets from before, with commas: [rotate secrets](../how-to/rotate-secrets.md)",
  ],
  [
    "`APP_URL`",
    "none",
    "The address that people use, as https://shop.example: links in mails, secure cookies. With a path, as https://shop.example/back, all is served below it",
  ],
  [
    "`ALLOWED_HOSTS`",
    "that of APP_URL",
    "[Host names that are served](../how-to/serve-other-host-names.md), with commas; `*.shop.example` for all below one",
  ],
  ["`TRUST_PROXY`", "0", "How many proxies in front are trusted"],
  [
    "`TRUSTED_PROXIES`",
    "none",
    "The addresses and networks of trusted proxies, with commas, instead of their number: `127.0.0.1,10.0.0.0/8`",
  ],
  [
    "`COMPRESS`",
    "auto",
    "Pages, JSON, downloads of text and texts in `public/`, by brotli or gzip: `on`, `off`, or `auto`: in production where neither `TRUST_PROXY` nor `TRUSTED_PROXIES` is set, since a proxy does it otherwise. Style sheets and scripts are compressed unless it is `off`",
  ],
  [
    "`DATABASE_URL`",
    "sqlite:storage/<environment>.sqlite3",
    "`sqlite:path`, `sqlite::memory:` or `mysql://user:password@host/name`; with the plugin `postgres`, `postgres://user:password@host/name` or `pglite:path`; [several hosts](../how-to/use-a-database-cluster.md) with commas",
  ],
  [
    "`DATABASE_SQLITE`",
    "node, else libsql",
    "What opens SQLite: `node` (Node's own `node:sqlite`, from Node 24.15 on) or `libsql`: [the library of SQLite](../../plugins/database/README.md#the-library-of-sqlite)",
  ],
  [
    "`DATABASE_STATEMENT_TIMEOUT`",
    "10000",
    "Milliseconds that a statement may take; 0: no limit. Below `REQUEST_DEADLINE`; migrations have none",
  ],
  [
    "`DATABASE_REPLICA_URLS`",
    "none",
    "Replicas of the MySQL or MariaDB in `DATABASE_URL`, with commas: [pages are read from them](../how-to/read-from-replicas.md)",
  ],
  [
    "`DATABASE_LOG_SLOW`",
    "0",
    "Milliseconds from which on a statement is logged, with its text and without its values; 0: none ([speed up a slow list](../how-to/speed-up-a-slow-list.md#in-production))",
  ],
  ["`DATABASE_REPLICA_MAX_LAG`", "10", "Seconds that a replica may be late; one that is later is not read"],
  ["`REDIS_URL`", "none", "`redis://user:password@host:6379/0`, for the plugins `redis` and `bullmq`"],
  ["`SMTP_ADDRESS`", "none", "The mail server; without it mails are kept in development and fail in production"],
  ["`SMTP_PORT`", "587", "465 is TLS, else STARTTLS where it is offered"],
  ["`SMTP_USER`, `SMTP_PASSWORD`", "none", "A password goes to another machine encrypted or not at all"],
  ["`MAIL_FROM`", "no-reply@ the host of APP_URL", "`The Shop <hi@shop.example>` or an address"],
  [
    "`TIME_ZONE`",
    "UTC",
    "The zone of [times](../how-to/show-times-in-each-persons-zone.md) for people whose own is not known, such as Europe/Berlin",
  ],
  ["`LOG_LEVEL`", "info; silent in test", "trace, debug, info, warn, error, fatal or silent"],
  ["`BODY_LIMIT`", "1048576", "Bytes of a body without files"],
  ["`UPLOAD_LIMIT`", "26214400", "Bytes of a body with files"],
  ["`HEADERS_TIMEOUT`", "10000", "Milliseconds for the header of a request to arrive"],
  ["`REQUEST_TIMEOUT`", "30000", "Milliseconds for a whole request to arrive; 0: any time"],
  ["`REQUEST_DEADLINE`", "60000", "Milliseconds until a request is answered 503; 0: never"],
  ["`SHUTDOWN_TIMEOUT`", "25000", "Milliseconds for requests in flight once the server was told to stop"],
  ["`METRICS_TOKEN`", "none", "With `metrics()`: what a scrape sends as `Authorization: Bearer …`"],
  ["`METRICS_PORT`, `METRICS_HOST`", "none, 127.0.0.1", "With `metrics()`: a port of its own, instead of a path"],
  [
    "`S3_BUCKET`",
    "none",
    "Files lie in this bucket instead of a directory: [files on S3](../how-to/keep-files-on-s3.md)",
  ],
  ["`S3_REGION`, `S3_ENDPOINT`", "none", "Its region; the address of a server other than Amazon's"],
  ["`S3_ACCESS_KEY_ID`, `S3_SECRET_ACCESS_KEY`", "none", "Both, or neither: then Amazon's own chain is asked"],
  ["`PASSWORD_PEPPER`, `PASSWORD_PEPPER_PREVIOUS`", "none", "For accounts with `passwordPepper()`"],
  ["`JWT_PRIVATE_KEY`", "none", "An Ed25519 key (PKCS8 PEM) for access tokens that others can check"],
  ["`FW_DATABASE_FAST`", "on", "`off` reads and writes every row by knex and objection alone"],
  ["`FW_VIEWS_COMPILE`", "on", "`off` renders all templates by liquidjs"],
  ["`FW_WORKER`", "none", "Which of how many workers a process is, `2/4`: `fw start --workers` sets it"],
  ["`FW_INSPECTOR`", "on", "`off` leaves `/_fw`, which shows what requests did, out of development"],
];

export function fieldsPage(): string {
  const text = read("plugins/database/generators/fields/field.ts");
  const comment = docText(/\/\*\*[^/]*?The types of columns[^/]*?\*\//.exec(text)?.[0]);
  const types = /columnTypes = \[([\s\S]*?)\]/
    .exec(text)![1]!
    .match(/"(\w+)"/g)!
    .map((name) => `\`${name.slice(1, -1)}\``);
  return `# Fields of a scaffold\n\n${note}
\`fw g fw:res:scaffold Post title:string 'body:text?' 'price:money?' 'author:belongs_to{class:User}'\`: each field is \`name:type\` with modifiers. ${comment}

Types: ${types.join(", ")}, \`money\`, \`belongs_to\` (or \`references\`). \`string\` where none is given. Words for what people type in: ${names(inputTypes)}, and those of the application's plugins ([types of fields](../how-to/add-a-field-type.md)).

| Written | |
|---|---|
| \`title\` | a string, required |
| \`body:text?\` | may be empty |
| \`email:string:uniq\` | unique, by the model and by an index |
| \`number:integer:index\` | with an index |
| \`status:string{default:draft}\` | a default |
| \`title:string{50}\`, \`amount:decimal{10,2}\` | a size |
| \`state:enum{draft,live,default:draft}\` | one of some values: a string, its values in the model's \`static enums\` |
| \`marks:checkboxes{red,blue}\` | several of some choices, which stand in the definition: a JSON column, and a box for each; with \`extraFields()\` |
| \`contact:email\`, \`phone:tel\`, \`site:url\`, \`shade:color\` | a string with that input; addresses and a colour are checked by the model |
| \`paper:file\` | a file: a JSON column, and the input |
| \`meta:json{default:{}}\`, \`tags:json{default:[1, 2]}\` | JSON, as its default |
| \`lines:list{text,hours:integer?}\` | [rows](../how-to/rows-within-a-form.md) of a JSON column, whose fields the definition declares by \`this.repeated\`; \`text\` alone without braces, at least one row without a \`?\`. With \`nestedRecords()\`, which has \`labels:key_value\` as well: names with their values |
| \`price:money\` | an amount over a column of cents |
| \`author:belongs_to{on_delete:cascade}\` | deleting the author deletes the row; \`nullify\` empties an optional one, \`restrict\` (the default) refuses |
| \`author:belongs_to{class:User}\` | a foreign key, an input with choices, a link |
| \`user:belongs_to:uniq{scope:organization}\` | one of a kind within another field |
| \`slug:slug{title}\` | a [slug](../how-to/make-addresses-readable.md), made of the title; of \`title\`, \`name\`, \`label\` or \`subject\` where none is named; \`slug:slug{title,scope:organization}\` within a tenant |
| \`id:uuid\`, \`id:string{40}\` | another primary key than a number, of a new table |
`;
}
