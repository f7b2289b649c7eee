import { publicOrigin, Reply } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { allows } from "framewright/plugins/resources";
import {
  applyOrder,
  listContextOf,
  listLabel,
  listQuery,
  readRecords,
  requestedList,
} from "framewright/plugins/resources/toolkit";
import { Article } from "./article.ts";
import { articleOf } from "./article_options.ts";
import { element, escapeXml, XML } from "./xml.ts";

const MAX_ENTRIES = 20;

/** `GET <list>/feed.xml`: the latest articles of the list as the person sees it, as Atom. */
export async function answerFeed(controller: ResourceController): Promise<Reply> {
  await controller.authorizeAction("index");
  const { registration, request } = controller;
  const parts = articleOf(registration.definition)!;
  const names = controller.listOf("Index");
  const query = listQuery(controller);
  const list = requestedList(controller, names);
  const date = parts.date !== undefined && names.includes(parts.date) && registration.model.columns.has(parts.date);
  if (date) query.whereNotNull(`${registration.model.table}.${parts.date}`);
  applyOrder(
    query,
    date ? [{ name: parts.date!, direction: "desc" }] : list.sorts,
    registration,
    listContextOf(controller),
  );
  const loaded = names.filter(
    (name) => registration.model.associations.has(name) && Object.values(parts).includes(name),
  );
  const entries = await readRecords(controller, query.limit(MAX_ENTRIES), loaded);
  const shown = entries.filter((entry) => allows(entry.policy(), "show"));
  const base = new URL(controller.listUrl, publicOrigin(request)).href;
  const articles = shown.map((entry) => new Article(controller, entry, parts, names));
  const updated = articles.map(({ date }) => date?.getTime() ?? 0).reduce((a, b) => Math.max(a, b), 0);
  const body = `${XML}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(request.locale)}">${element("id", base)}${element("title", `${listLabel(controller, controller.about)} · ${controller.t("application.name")}`)}<link href="${escapeXml(base)}"/><link rel="self" href="${escapeXml(`${base}/feed.xml`)}"/>${element("updated", new Date(updated).toISOString())}${articles.map(entryOf).join("")}</feed>\n`;
  return controller.answer(new Reply(200, body, { "content-type": "application/atom+xml; charset=utf-8" }));
}

function entryOf(article: Article): string {
  const { title, url, date, author, summary, body } = article;
  const text = body === undefined ? "" : `<content type="html">${escapeXml(body.html)}</content>`;
  const by = author === undefined ? "" : `<author>${element("name", author)}</author>`;
  const at = (date ?? new Date(0)).toISOString();
  return `<entry>${element("id", url)}${element("title", title)}<link href="${escapeXml(url)}"/>${element("published", at)}${element("updated", at)}${by}${element("summary", summary)}${text}</entry>`;
}
