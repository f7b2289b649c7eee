import { humanize } from "framewright/host/inflection";
import { type PulledModel, referenceName, snakeCase } from "../../../database/generators/toolkit/index.ts";
import { isCredential } from "../credentials.ts";

type Field = PulledModel["fields"][number];

/** Parts of the names of texts that have several lines. */
const LONG =
  /(^|_)(abstract|bio|biography|body|comments?|contents?|csv|desc|descr|descriptions?|details?|doc|document|excerpt|html|info|instructions?|intro|introduction|json|log|markdown|md|memo|messages?|notes?|query|reason|remarks?|script|sql|story|summary|terms|texts?|transcript|xml|yaml|bemerkung(en)?|beschreibung|inhalt|kommentar|notiz(en)?)$/;

/**
 * Lines of a definition: fields of one line for texts without a length, which are the ordinary ones outside of MySQL, and labels
 * of associations that could not be called as their column.
 */
export function fieldLines({ facts, fields }: PulledModel): string[] {
  return fields.flatMap((field) => {
    const options = field.type === "belongs_to" ? labelOf(field) : facts.areTextsLong ? undefined : typeOf(field);
    return options === undefined ? [] : [`this.field(${JSON.stringify(field.name)}, { ${options} });`];
  });
}

function typeOf({ column, type, values, isReadOnly }: Field): string | undefined {
  const name = snakeCase(column);
  if (type !== "text" || values || isReadOnly || isCredential(column) || LONG.test(name)) return undefined;
  return `as: "${/(?:^|_)(email|url)$/.exec(name)?.[1] ?? "string"}"`;
}

/** `user_user` of a column `user` is the user. */
function labelOf({ name, column }: Field): string | undefined {
  const own = referenceName(column);
  return own === "" || own === name ? undefined : `label: ${JSON.stringify(humanize(own))}`;
}
