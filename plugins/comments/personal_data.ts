import type { Erasure, PersonalSources } from "framewright/plugins/personal_data";
import type { Mention } from "./contract.ts";

const COMMENTS = "framewright_comments";
const FOLLOWERS = "framewright_comment_followers";
const MAX_ROWS = 200;

/** Comments of a person are exported; of an erased one they have another name and, by the plugin's option, no text. */
export function addCommentSources(sources: PersonalSources): void {
  sources.table({
    name: "comments",
    table: COMMENTS,
    owner: { type: "author_type", id: "author_id" },
    shown: ["table_name", "record", "tenant", "text", "internal", "created_at", "edited_at"],
    erase: ({ text, author_label }, { label, text: replacement }) =>
      author_label === label ? undefined : { author_label: label, text: replacement ?? text, mentions: "[]" },
  });
  sources.add({
    name: "mentions",
    erase: forgetMentions,
  });
  sources.table({
    name: "followed_records",
    table: FOLLOWERS,
    shown: ["table_name", "record", "tenant", "active", "seen_at"],
    erase: "delete",
  });
}

/** In comments of others the person has the label in the place of the name by which they were mentioned. */
async function forgetMentions({ person, transaction, label, hasTable }: Erasure): Promise<void> {
  if (!hasTable(COMMENTS)) return;
  const pattern = `%"id":${JSON.stringify(person.id)}%`;
  for (let last = 0; ; ) {
    const rows = await transaction(COMMENTS)
      .where("mentions", "like", pattern)
      .where("id", ">", last)
      .orderBy("id")
      .limit(MAX_ROWS)
      .select("id", "author_type", "text", "mentions");
    for (const { id, author_type, text, mentions } of rows as Record<string, string>[]) {
      if (!person.owns(author_type, person.id)) continue; // somebody else of another type of accounts
      const all = JSON.parse(mentions!) as Mention[];
      const own = new Set(all.filter((one) => one.id === person.id).map((one) => one.label));
      const kept = all.map((one) => (one.id === person.id ? { ...one, label } : one));
      const shown = withoutMention(text!, own, all, label);
      await transaction(COMMENTS)
        .where({ id })
        .update({ text: shown, mentions: JSON.stringify(kept) });
    }
    if (rows.length < MAX_ROWS) return;
    last = Number(rows.at(-1)!.id);
  }
}

/** A text in which a label takes the place of the person's own: not in "@Annabelle", nor in "@Ann Lee" who is mentioned as well. */
function withoutMention(text: string, own: ReadonlySet<string>, all: readonly Mention[], label: string): string {
  const labels = [...new Set(all.map((one) => one.label))].filter((one) => one !== "");
  if (labels.length === 0) return text;
  const any = labels
    .sort((one, other) => other.length - one.length)
    .map((one) => one.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join("|");
  const mention = new RegExp(`(?<![\\p{L}\\p{N}])@(${any})(?=s?(?![\\p{L}\\p{N}\\p{M}]))`, "gu");
  return text.replace(mention, (found, named: string) => (own.has(named) ? `@${label}` : found));
}
