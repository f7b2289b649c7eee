import { defineGenerator, type GeneratorContext } from "framewright/generators";
import { parseTables } from "framewright/plugins/authlib/catalogue";
import { createdTables, missingParts, newMigration, tablesOf } from "../../../../generators/toolkit/index.ts";
import { accountOf } from "../account/account.ts";
import { schemaPartsOf } from "../account/migration.ts";
import { sharedTables } from "../install/generator.ts";
import { changeOf, type TableChange, tablesAfter } from "./table_changes.ts";

export default defineGenerator({
  name: "fw:authlib:upgrade",
  summary: "Write a migration for tables, columns and indexes of accounts that a newer release requires",
  example: "fw generate fw:authlib:upgrade",
  directory: import.meta.dirname,
  run(context) {
    const { app, changes, template, note } = context;
    const text = requiredSchema(context);
    const made = createdTables(app);
    const snippets = missingParts(text, made);
    const altered = changesOf(
      text,
      app.migrations().map((path) => app.read(path)),
    );
    for (const name of withoutMails(context)) note(mailsFor(name));
    if (snippets.length === 0 && altered.length === 0) return note("The tables of all account types are complete.");
    template(newMigration(app, changes, "upgrade_authlib"), "migration.ts", {
      snippets: snippets.join(""),
      dropped: tablesOf(snippets.join("")).toReversed(),
      altered: altered.map(templateLocals),
    });
    for (const { name, columns, removed } of altered) {
      const parts = [
        ...columns.map(columnIn),
        ...removed.map(({ columns: of }) => `${of.join(", ")} need not be unique`),
      ];
      if (parts.length > 0) note(`${name}: ${parts.join(", ")}`);
    }
    note("\nNext:\n  npx fw db:migrate");
  },
});

/** The schema that the application's account types require, as the text of a migration. */
function requiredSchema(context: GeneratorContext): string {
  const names = context.app.accounts();
  const parts = names.flatMap((name) => schemaPartsOf(accountOf(context, name)));
  return names.length === 0 ? "" : sharedTables() + parts.join("");
}

function changesOf(text: string, migrations: readonly string[]): TableChange[] {
  const made = tablesAfter(migrations);
  return parseTables(text).flatMap((needed) => {
    const known = made.get(needed.name);
    return (known && changeOf(needed, known)) ?? [];
  });
}

/** Adds plain indexes first: MySQL does not drop an index that a foreign key needs. */
function templateLocals({ name, columns, added, removed }: TableChange) {
  const listed = (of: readonly string[]) => of.map((column) => `"${column}"`).join(", ");
  const index = ({ columns: of, unique }: { columns: readonly string[]; unique: boolean }) => ({
    columns: listed(of),
    unique,
  });
  return { name, columns, added: added.map(index), removed: removed.map(index) };
}
const columnIn = (line: string): string => /\("(\w+)"/.exec(line)?.[1] ?? line;

/** Account types without security_mails, which is a default by now: suggested, not added. */
const withoutMails = ({ app }: GeneratorContext): string[] =>
  app.accounts().filter((name) => !accountOf({ app }, name).features.includes("security_mails"));
const mailsFor = (name: string): string =>
  `${name} does not mail owners about changes to their account. To add that: npx fw generate fw:authlib:account ${name} --security_mails`;
