import { parseTables } from "../../../plugins/authlib/schema_text.ts";
import { defineGenerator, type GeneratorContext } from "../../generator.ts";
import { missingParts, newMigration, tablesMade, tablesOf } from "../../support/migrations.ts";
import { accountOf } from "../account/account.ts";
import { schemaPartsOf } from "../account/migration.ts";
import { sharedTables } from "../install/generator.ts";
import { changeOf, type TableChange, tablesMadeBy } from "./table_changes.ts";

export default defineGenerator({
  name: "fw:authlib:upgrade",
  summary: "Write the migration of what the tables of accounts lack since a newer release: tables, columns and indexes",
  example: "fw generate fw:authlib:upgrade",
  directory: import.meta.dirname,
  run(context) {
    const { app, changes, template, note } = context;
    const text = neededBy(context);
    const made = tablesMade(app);
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
      altered: altered.map(drawn),
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

/** The schema of all that the application's account types need, as the text of a migration. */
function neededBy(context: GeneratorContext): string {
  const names = context.app.accounts();
  const parts = names.flatMap((name) => schemaPartsOf(accountOf(context, name)));
  return names.length === 0 ? "" : sharedTables() + parts.join("");
}

function changesOf(text: string, migrations: readonly string[]): TableChange[] {
  const made = tablesMadeBy(migrations);
  return parseTables(text).flatMap((needed) => {
    const known = made.get(needed.name);
    return (known && changeOf(needed, known)) ?? [];
  });
}

/** MySQL drops no index that a foreign key needs: the plain one comes first. */
function drawn({ name, columns, added, removed }: TableChange) {
  const listed = (of: readonly string[]) => of.map((column) => `"${column}"`).join(", ");
  const index = ({ columns: of, unique }: { columns: readonly string[]; unique: boolean }) => ({
    columns: listed(of),
    unique,
  });
  return { name, columns, added: added.map(index), removed: removed.map(index) };
}
const columnIn = (line: string): string => /\("(\w+)"/.exec(line)?.[1] ?? line;

/** Account types of before that nobody is mailed about: what has become the standard is said, and not done. */
const withoutMails = ({ app }: GeneratorContext): string[] =>
  app.accounts().filter((name) => !accountOf({ app }, name).features.includes("security_mails"));
const mailsFor = (name: string): string =>
  `${name} does not mail its owners what happens to their account. To do so: npx fw generate fw:authlib:account ${name} --security_mails`;
