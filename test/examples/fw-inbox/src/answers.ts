import { type BaseController, type Reply, unprocessable } from "framewright";
import type { Database } from "framewright/plugins/database";

/** What an inbox has of its own, by its name. */
export interface Inbox {
  readonly database: Database;
  readonly table: string;
  readonly limit: number;
  title(t: (key: string) => string): string;
}

/** The last messages, as a page or as JSON. */
export async function showMessages(
  controller: BaseController,
  { database, table, limit, ...inbox }: Inbox,
): Promise<Reply> {
  const texts: string[] = await database.knex(table).orderBy("id", "desc").limit(limit).pluck("text");
  if (controller.request.format === "json") return controller.json({ data: texts });
  const title = inbox.title((key) => controller.t(key));
  return controller.render("inbox/index", { locals: { title, texts } });
}

/** Stores a message. @throws HttpError 422 */
export async function answerMessage(controller: BaseController, { database, table }: Inbox): Promise<Reply> {
  const text = controller.params.get("text");
  if (typeof text !== "string" || text === "" || text.length > 500)
    throw unprocessable(controller.t("inbox.refused"), { text: [controller.t("inbox.refused")] });
  await database.knex(table).insert({ text });
  return controller.json({ data: { text } }, { status: 201 });
}
